import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { Locations } from '#config/config.ts'
import { createFail } from '#platform/errors.ts'
import type { App } from '../app-type.ts'
import { type Precompressed, precompress, sendToAnyOrigin } from './precompressed.ts'

const fail = createFail({ 'not-found': () => [404, 'This file doesn’t exist.'] })
const immutable = 'public, max-age=31536000, immutable'

/** Registers the browser client of the membership protocol, as a module and as a script, and the widget's files. */
export async function registerClientFiles(app: App, { client, widget }: Locations): Promise<void> {
  const scripts = {
    [paths.clientModule]: path.join(client, 'client.js'),
    [paths.clientScript]: path.join(client, 'client.global.js'),
    [paths.widgetScript]: path.join(widget, 'widget.js'),
    [paths.dialogsScript]: path.join(widget, 'dialogs.js'),
  }
  for (const [url, file] of Object.entries(scripts)) {
    const script = await readScript(file)
    app.get(url, { config: { access: 'public' }, schema: { hide: true } }, (request, reply) =>
      sendToAnyOrigin(request, reply, script),
    )
  }

  // The names of the chunks change with their content.
  const chunks = new Map<string, Precompressed>()
  const folder = path.join(widget, 'widget')
  for (const file of await readBuilt(readdir(folder))) {
    chunks.set(file, await readScript(path.join(folder, file)))
  }
  app.get(
    paths.widgetChunk,
    { config: { access: 'public' }, schema: { hide: true, params: z.object({ file: z.string() }) } },
    (request, reply) => {
      const chunk = chunks.get(request.params.file)
      if (chunk === undefined) throw fail('not-found')
      return sendToAnyOrigin(request, reply, chunk, immutable)
    },
  )
}

async function readScript(file: string): Promise<Precompressed> {
  return await precompress(await readBuilt(readFile(file, 'utf8')), 'text/javascript')
}

async function readBuilt<Content>(reading: Promise<Content>): Promise<Content> {
  return await reading.catch((cause: unknown) => {
    throw new Error('The membership client is not built. Run `npx --yes pnpm@12 build` first.', { cause })
  })
}
