import path from 'node:path'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { z } from 'zod'
import { systemClock } from '#platform/clock.ts'
import { createBackup } from './backup/create-backup.ts'
import { addExample, type CommandLine, UsageError } from './command-line.ts'

const optionsSchema = z.object({
  to: z.string(),
  keep: z.string().optional(),
  recipient: z.string().optional(),
})

/** Defines the command that makes a backup while the site runs. */
export function defineBackup(command: CommandUnknownOpts, cli: CommandLine): void {
  command
    .description(
      'writes all rows as they are at one moment, and all pictures, to one file of a folder. The site may run meanwhile',
    )
    .option('--to <folder>', 'the folder of the backups', 'backups')
    .option('--keep <number>', 'deletes older backups of the folder beyond this number, after this one')
    .option('--recipient <key>', 'encrypts for the holder of this age key (age1…)')
    .action(() =>
      cli.run(async () => {
        const { to, keep, recipient } = optionsSchema.parse(command.opts())
        const kept = keep === undefined ? null : Number(keep)
        if (kept !== null && !(Number.isInteger(kept) && kept >= 1))
          throw new UsageError('--keep needs a number of at least 1. Nothing was done.')
        const folder = path.resolve(to)
        const made = await createBackup({
          config: await cli.readConfig(),
          folder,
          keep: kept,
          recipient,
          clock: systemClock,
          onProgress: cli.showProgress,
        })
        const { file, bytes, rows, pictures, seconds } = made
        const text = `${file}: ${rows} rows and ${pictures} pictures, ${bytes} bytes, in ${seconds.toFixed(1)} s.\nKeep SITE_SECRET elsewhere: it isn't in the backup.\n`
        return { json: made, text }
      }),
    )
  addExample(command, 'tidings backup --to /backups --keep 14')
}
