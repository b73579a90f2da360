import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import manifest from '#package.json' with { type: 'json' }
import { addExample, type CommandLine } from './command-line.ts'

/** Defines the command that shows which code this is. It needs no valid settings. */
export function defineVersion(command: CommandUnknownOpts, cli: CommandLine): void {
  command.action(() =>
    cli.run(async () => {
      const { version } = manifest
      const revision = await cli.readRevision()
      const node = process.versions.node
      const text = `Tidings ${version}, revision ${revision}, Node.js ${node}\n`
      return { json: { version, revision, node }, text }
    }),
  )
  addExample(command, 'tidings version --json')
}
