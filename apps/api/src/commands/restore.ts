import { readFile } from 'node:fs/promises'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { z } from 'zod'
import { systemClock } from '#platform/clock.ts'
import { BackupError } from './backup/backup-error.ts'
import { databaseNameOf } from './backup/connection.ts'
import { verifyArchive } from './backup/read-archive.ts'
import { checkUsable, isUsed, restoreBackup } from './backup/restore-backup.ts'
import { addExample, CommandError, type CommandLine, type Result, UsageError } from './command-line.ts'

const optionsSchema = z.object({
  replace: z.boolean().optional(),
  identity: z.string().optional(),
  otherSecret: z.boolean().optional(),
  yes: z.boolean().optional(),
})

/** Defines the command that restores a backup. Until it is complete, the site stays as it was. */
export function defineRestore(command: CommandUnknownOpts, cli: CommandLine): void {
  command
    .description(
      'restores a backup: checks it, loads it beside the database, takes its place, and holds all sending. The role of DATABASE_URL must be able to create databases',
    )
    .argument('<file>', 'the backup')
    .option('--replace', 'replaces a site with editions or members; its database is kept under another name')
    .option('--identity <file>', 'the file of the age key of an encrypted backup')
    .option('--other-secret', 'accepts another SITE_SECRET')
    .option('--yes', 'confirms')
    .action(() =>
      cli.run(
        withCommandErrors(async () => {
          const { replace, identity, otherSecret, yes } = optionsSchema.parse(command.opts())
          const file = command.args[0] ?? ''
          const config = await cli.readConfig()
          const key = identity === undefined ? undefined : await readIdentity(identity)
          cli.showProgress('Checking the backup')
          const manifest = await verifyArchive(file, key)
          await checkUsable(manifest, config, otherSecret === true)
          const name = databaseNameOf(config.database.listenUrl)
          if (await isUsed(config.database.listenUrl)) {
            if (replace !== true)
              throw new UsageError(
                `The database ${name} has editions or members. Add --replace to restore in its place. Nothing was changed.`,
              )
            const question = `The backup of ${manifest.createdAt} takes the place of the database ${name}. What happened since is then missing.`
            await cli.confirm({ question, expected: name, isConfirmed: yes })
          }
          const options = { config, file, identity: key, clock: systemClock, onProgress: cli.showProgress }
          const restored = await restoreBackup(manifest, options)
          const { rows, pictures, former } = restored
          const text = `Restored ${rows} rows and ${pictures} pictures of ${manifest.createdAt}; all checksums were right.\nThe former database is kept as ${former}; drop it when you don't need it.\nNothing is sent until you run 'tidings deliveries confirm-instance'.\n`
          return { json: { ...restored, createdAt: manifest.createdAt, site: manifest.site }, text }
        }),
      ),
    )
  addExample(command, 'tidings restore /backups/tidings-20261127T030000Z.tar')
}

async function readIdentity(file: string): Promise<string> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  const key = lines.find((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (key === undefined) throw new UsageError(`${file} has no line with an age key (AGE-SECRET-KEY-…).`)
  return key.trim()
}

/** Lets the command line print only the message of an error that an operator can act on. */
function withCommandErrors(work: () => Promise<Result>): () => Promise<Result> {
  return async () => {
    try {
      return await work()
    } catch (error) {
      throw error instanceof BackupError ? new CommandError(error.message, { cause: error }) : error
    }
  }
}
