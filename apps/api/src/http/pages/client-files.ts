import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { paths } from '@tidings/contracts/paths'
import type { App } from '../app-type.ts'
import { createReadyPage, sendReadyPage } from './ready-page.ts'

const files = { [paths.clientModule]: 'client.js', [paths.clientScript]: 'client.global.js' }

/** The browser client of the membership protocol, for pages of any origin: as a module, and as a script tag's source. */
export async function registerClientFiles(app: App, folder: string): Promise<void> {
  for (const [url, file] of Object.entries(files)) {
    const script = await createReadyPage(await readBuilt(path.join(folder, file)), 'text/javascript')
    app.get(url, { config: { access: 'public' }, schema: { hide: true } }, (request, reply) => {
      reply.headers({
        'Access-Control-Allow-Origin': '*',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'X-Content-Type-Options': 'nosniff',
      })
      return sendReadyPage(request, reply, script)
    })
  }
}

async function readBuilt(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error('The membership client is not built. Run `npx --yes pnpm@12 build` first.', {
      cause: error,
    })
  })
}
