import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { type Precompressed, precompress, sendToAnyOrigin } from '#http/site/precompressed.ts'
import type { IdentityProviderConfig } from '#integrations/identity/identity-provider.ts'
import { createFail } from '#platform/errors.ts'

const fail = createFail({ 'not-found': () => [404, 'This icon doesn’t exist.'] })

/** Paths in a 24 by 24 view box; `other` is a key. */
const strokes = {
  google: 'M16 9a5 5 0 1 0 1 3h-4',
  microsoft: 'M7 17V7l5 6 5-6v10',
  apple: 'M7 17l5-10 5 10M9 13.5h6',
  github: 'M10.2 10a3 3 0 1 0 .8 2h-2M14 8.5v7M18 8.5v7M14 12h4',
  other: 'M11.5 12a2.5 2.5 0 1 0-5 0 2.5 2.5 0 1 0 5 0h6v3M14.5 12v2',
}

/** White on a gray disc, for light and dark buttons. */
function toSvg(path: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"><circle cx="12" cy="12" r="12" fill="#6b7280"/><path d="${path}" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`
}

/** Returns the URL of a provider's icon: the configured one, or a built-in one. */
export function iconUrl({ kind, icon }: IdentityProviderConfig, siteUrl: URL): string {
  const file = `${kind === 'oidc' ? 'other' : kind}.svg`
  return icon ?? new URL(paths.providerIcon.replace(':file', file), siteUrl.origin).href
}

/** Serves the icons of identity providers to pages of any origin. */
export async function registerProviderIcons(app: App): Promise<void> {
  const icons = new Map<string, Precompressed>()
  for (const [name, path] of Object.entries(strokes)) {
    icons.set(`${name}.svg`, await precompress(toSvg(path), 'image/svg+xml'))
  }

  app.get(
    paths.providerIcon,
    { config: { access: 'public' }, schema: { hide: true, params: z.object({ file: z.string() }) } },
    (request, reply) => {
      const icon = icons.get(request.params.file)
      if (icon === undefined) throw fail('not-found')
      return sendToAnyOrigin(request, reply, icon, 'public, max-age=86400')
    },
  )
}
