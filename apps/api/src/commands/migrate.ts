import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { addExample, CommandError, type CommandLine } from './command-line.ts'

/** Defines the command that applies missing migrations, in a process of its own (ADR 35). */
export function defineMigrate(migrate: CommandUnknownOpts, cli: CommandLine): void {
  migrate
    .description(
      'applies the missing migrations to the database. The site may run meanwhile; it is ready afterwards',
    )
    .action(() =>
      cli.run(async (print) => {
        const script = path.join((await cli.readLocations()).migrations, '../migrate.ts')
        const program = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'] })
        const lines: string[] = []
        createInterface({ input: program.stdout }).on('line', (line) => {
          lines.push(line)
          print(`${line}\n`)
        })
        const [errors, [code]] = await Promise.all([text(program.stderr), once(program, 'close')])
        if (code !== 0) throw new CommandError(errors.trim())
        return { json: { applied: lines.flatMap((line) => /^Applied (.+)$/.exec(line)?.[1] ?? []) } }
      }),
    )
  addExample(migrate, 'tidings migrate')
}
