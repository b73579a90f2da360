import { readFile } from 'node:fs/promises'
import path from 'node:path'
import helmet from '@fastify/helmet'
import type { DeskConfig } from '@tidings/contracts/desk/desk-config'
import type { Config } from '#config/config.ts'
import { jsonHtml } from '#platform/html/html.ts'
import type { App } from '../app-type.ts'
import { registerHashedFiles } from './hashed-files.ts'
import { precompress, sendPrecompressed } from './precompressed.ts'
import { wantsHtml } from './screens.ts'

const configElement = /(<script[^>]*id="desk-config"[^>]*>)[^<]*(<\/script>)/

/**
 * Registers the built web application of the desk: one page for all its screens below `/desk`, and its assets. Readers
 * never load it.
 */
export async function registerDeskApp(app: App, config: Config): Promise<void> {
  const page = await precompress(writeConfig(await readPage(config), config), 'text/html')
  const hidden = { config: { access: 'public' as const }, schema: { hide: true } }
  await app.register(async (scope: App) => {
    await registerDeskHeaders(scope, config)
    for (const url of ['/desk', '/desk/', '/desk/*']) {
      scope.get(url, hidden, (request, reply) => {
        if (!wantsHtml(request) || request.url.startsWith('/desk/v1')) return reply.callNotFound()
        return sendPrecompressed(request, reply, page, 'private, no-cache')
      })
    }
  })
  await registerHashedFiles(app, { built: config.locations.deskApp, prefix: '/desk/static/' })
}

/** Sets the headers of the desk's page: nothing but its own files loads, and no text becomes HTML unchecked. */
async function registerDeskHeaders(scope: App, { site }: Config): Promise<void> {
  const isHttps = site.url.protocol === 'https:'
  await scope.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'", `${isHttps ? 'wss' : 'ws'}://${site.url.host}`],
        frameSrc: ["'self'"],
        objectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        // The editor parses its clipboard in a document where nothing runs. Previews show the site's prose.
        trustedTypes: ['clipboard', 'prose'],
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  })
  scope.addHook('onRequest', (_request, reply, done) => {
    reply.header('X-Robots-Tag', 'noindex')
    done()
  })
}

/** Writes the public settings into the page. */
function writeConfig(page: string, { site, delivery }: Config): string {
  if (!configElement.test(page)) throw new Error("The desk's page has no element 'desk-config'")
  const settings: DeskConfig = {
    siteName: site.name,
    timeZone: site.timeZone,
    slots: site.slots,
    deliveryDelaySeconds: delivery.delaySeconds,
  }
  return page.replace(
    configElement,
    (_all, open: string, close: string) => `${open}${jsonHtml(settings)}${close}`,
  )
}

async function readPage({ locations }: Config): Promise<string> {
  return await readFile(path.join(locations.deskApp, 'index.html'), 'utf8').catch((cause: unknown) => {
    throw new Error('The desk is not built. Run `npx --yes pnpm@12 build` first.', { cause })
  })
}
