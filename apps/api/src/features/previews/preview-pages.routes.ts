import { previewPagePath } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import type { PreviewPages } from './preview-pages.service.ts'
import { fail } from './previews.errors.ts'

const options = {
  config: { access: 'signed' as const },
  schema: { hide: true, params: z.object({ token: z.string() }) },
}

/**
 * Registers the address of previews. Nothing in them runs, and only pages of the site may frame them: the desk keeps their
 * scroll position, so they stay of its origin.
 */
export function registerPreviewPages(
  app: App,
  { previewPages, siteUrl }: { previewPages: PreviewPages; siteUrl: URL },
): void {
  const policies = {
    'text/html; charset=utf-8': `default-src 'none'; style-src 'unsafe-inline'; img-src ${siteUrl.origin}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox`,
    // Browsers show a PDF with a page of their own, which a stricter policy would break.
    'application/pdf': "frame-ancestors 'self'",
  } as const

  app.get(previewPagePath, options, async (request, reply) => {
    const from = request.headers['sec-fetch-site']
    if (from === 'cross-site' || from === 'same-site') throw fail('preview-framed')
    const { type, content } = await previewPages.open(request.params.token)
    const policy = type === 'application/pdf' ? policies[type] : policies['text/html; charset=utf-8']
    return reply
      .headers({
        'Cache-Control': 'no-store',
        'Content-Security-Policy': policy,
        'Referrer-Policy': 'no-referrer',
        'X-Robots-Tag': 'noindex',
      })
      .type(type)
      .send(Buffer.from(content))
  })
}
