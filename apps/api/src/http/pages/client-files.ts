import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { paths } from '@tidings/contracts/paths'
import type { App } from '../app-type.ts'
import { precompress, sendToAnyOrigin } from './precompressed.ts'

const files = { [paths.clientModule]: 'client.js', [paths.clientScript]: 'client.global.js' }

/** Registers the browser client of the membership protocol, as a module and as a classic script. */
export async function registerClientFiles(app: App, folder: string): Promise<void> {
  for (const [url, file] of Object.entries(files)) {
    const script = await precompress(await readBuilt(path.join(folder, file)), 'text/javascript')
    app.get(url, { config: { access: 'public' }, schema: { hide: true } }, (request, reply) =>
      sendToAnyOrigin(request, reply, script),
    )
  }
}

async function readBuilt(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error('The membership client is not built. Run `npx --yes pnpm@12 build` first.', { cause })
  })
}
