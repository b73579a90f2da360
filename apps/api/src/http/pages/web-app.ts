import { readFile } from 'node:fs/promises'
import path from 'node:path'
import staticFiles from '@fastify/static'
import type { Config } from '#config/config.ts'
import { declarePublic } from '../access.ts'
import type { App } from '../app-type.ts'
import { registerPageHeaders } from './page-headers.ts'
import { type Precompressed, precompress, sendPrecompressed } from './precompressed.ts'
import { toSiteConfig, writeSiteConfig } from './site-config.ts'

/** Registers the built web app: its HTML shell at `/`, its assets under `/static`. */
export async function registerWebApp(app: App, config: Config): Promise<void> {
  const shell = await readShell(config)
  await app.register(async (scope: App) => {
    await registerPageHeaders(scope, config.site)
    scope.get('/', { config: { access: 'public' }, schema: { hide: true } }, (request, reply) =>
      sendPrecompressed(request, reply, shell),
    )
    scope.get('/robots.txt', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
      reply.type('text/plain').send('User-agent: *\nDisallow: /\n'),
    )
  })
  await app.register(async (scope: App) => {
    declarePublic(scope)
    await scope.register(staticFiles, {
      root: path.join(config.locations.webApp, 'static'),
      prefix: '/static/',
      decorateReply: false,
      preCompressed: true,
      index: false,
      dotfiles: 'ignore',
      // File names contain a hash of the content.
      immutable: true,
      maxAge: '1y',
      setHeaders: (reply) => void reply.header('X-Content-Type-Options', 'nosniff'),
    })
  })
}

async function readShell(config: Config): Promise<Precompressed> {
  const file = path.join(config.locations.webApp, 'index.html')
  const html = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error('The web app is not built. Run `npx --yes pnpm@12 build` first.', { cause })
  })
  return await precompress(writeSiteConfig(html, toSiteConfig(config)), 'text/html')
}
