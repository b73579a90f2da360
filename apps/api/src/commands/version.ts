import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { z } from 'zod'
import { addExample, type CommandLine } from './command-line.ts'

const manifestSchema = z.object({ version: z.string() })

/** Defines the command that shows which code this is. It needs no valid settings. */
export function defineVersion(version: CommandUnknownOpts, cli: CommandLine): void {
  version.action(() =>
    cli.run(async () => {
      const manifest = path.join((await cli.readLocations()).migrations, '../../package.json')
      const { version } = manifestSchema.parse(JSON.parse(await readFile(manifest, 'utf8')))
      const revision = await cli.readRevision()
      const node = process.versions.node
      const text = `Tidings ${version}, revision ${revision}, Node.js ${node}\n`
      return { json: { version, revision, node }, text }
    }),
  )
  addExample(version, 'tidings version --json')
}
