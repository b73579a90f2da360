import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { createReadyPage, type ReadyPage, sendReadyPage } from '#http/pages/ready-page.ts'
import { AppError } from '#platform/errors.ts'
import { providerIcons } from './provider-icons.ts'

/** The pictures on the buttons of identity providers, for pages of any origin. */
export async function registerProviderIcons(app: App): Promise<void> {
  const images = new Map<string, ReadyPage>()
  for (const [file, svg] of providerIcons) images.set(file, await createReadyPage(svg, 'image/svg+xml'))

  app.get(
    paths.providerIcon,
    { config: { access: 'public' }, schema: { hide: true, params: z.object({ file: z.string() }) } },
    (request, reply) => {
      const image = images.get(request.params.file)
      if (image === undefined) throw new AppError('not-found', 404, 'There is no such picture.')
      reply.headers({
        'Access-Control-Allow-Origin': '*',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'X-Content-Type-Options': 'nosniff',
      })
      return sendReadyPage(request, reply, image, 'public, max-age=86400')
    },
  )
}
