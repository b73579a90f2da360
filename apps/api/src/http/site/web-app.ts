import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { paths } from '@tidings/contracts/paths'
import type { Config } from '#config/config.ts'
import type { App } from '../app-type.ts'
import { registerHashedFiles } from './hashed-files.ts'
import { registerPageHeaders } from './page-headers.ts'
import { precompress, sendPrecompressed } from './precompressed.ts'
import { createShells } from './shell.ts'
import { fontsOfLanguage, toSiteConfig, writeLanguage, writeSiteConfig } from './site-config.ts'
import { hashSource, pageFonts } from './small-page.ts'

type Deps = Parameters<typeof registerPageHeaders>[1] & Omit<Parameters<typeof createShells>[0], 'html'>

/** Registers the built web app: its HTML shell at `/`, its assets under `/static`. */
export async function registerWebApp(app: App, { config, apps, ...deps }: Deps): Promise<void> {
  const page = writeLanguage(await readBuilt(config, 'index.html'), config.site.language)
  const html = writeSiteConfig(page, toSiteConfig(config))
  const shellFor = createShells({ ...deps, html })
  const neutralShell = await precompress(html, 'text/html')
  const worker = await precompress(
    // With its shell's tag, the worker changes whenever the shell does.
    (await readBuilt(config, 'service-worker.js'))
      .replace('__SHELL_REVISION__', neutralShell.tag)
      .replace('__SITE_FONTS__', fontsOfLanguage(config.site.language)),
    'text/javascript',
  )
  const { name } = config.site
  const manifest = await precompress(
    JSON.stringify({
      name,
      short_name: name,
      ...JSON.parse(await readBuilt(config, 'manifest.webmanifest')),
    }),
    'application/manifest+json',
  )
  const hidden = { config: { access: 'public' as const }, schema: { hide: true } }
  await app.register(async (scope: App) => {
    await registerPageHeaders(scope, { config, apps }, inlineSources(html))
    scope.get('/', hidden, async (request, reply) =>
      sendPrecompressed(request, reply, await shellFor(request.headers.cookie), 'no-store'),
    )
    const staticFiles = await readdir(path.join(config.locations.webApp, 'static'))
    for (const font of Object.values(pageFonts)) {
      const file = staticFiles.find((name) => name.startsWith(`${font.file}-`) && name.endsWith('.woff2'))
      if (file === undefined) throw new Error(`The web app has no font named ${font.file}`)
      scope.get(font.path, hidden, (_request, reply) =>
        reply.header('Cache-Control', 'no-cache').redirect(`/static/${file}`, 302),
      )
    }
    scope.get(paths.neutralShell, hidden, (request, reply) => sendPrecompressed(request, reply, neutralShell))
    scope.get(paths.serviceWorker, hidden, (request, reply) => sendPrecompressed(request, reply, worker))
    scope.get(paths.manifest, hidden, (request, reply) => sendPrecompressed(request, reply, manifest))
    scope.get('/robots.txt', hidden, (_request, reply) =>
      reply.type('text/plain').send('User-agent: *\nDisallow: /\n'),
    )
  })
  await registerHashedFiles(app, { built: config.locations.webApp, prefix: '/static/' })
}

/** Returns the hashes of the shell's inline scripts and styles. */
function inlineSources(html: string) {
  const hashesOf = (element: RegExp) => [...html.matchAll(element)].map(([, text = '']) => hashSource(text))
  return {
    scripts: hashesOf(/<script>(.*?)<\/script>/gs),
    styles: hashesOf(/<style>(.*?)<\/style>/gs),
  }
}

async function readBuilt({ locations }: Config, file: string): Promise<string> {
  return await readFile(path.join(locations.webApp, file), 'utf8').catch((cause: unknown) => {
    throw new Error('The web app is not built. Run `npx --yes pnpm@12 build` first.', { cause })
  })
}
