import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { z } from 'zod'
import type { Config } from '#config/config.ts'
import { systemClock } from '#platform/clock.ts'
import { createBackup } from './backup/create-backup.ts'
import type { Lock } from './backup/encryption.ts'
import { checkPassphrase, readSecretLine } from './backup/passphrase.ts'
import { BackupError } from './backup/places/backup-error.ts'
import { addExample, type CommandLine, UsageError, withCommandErrors } from './command-line.ts'

const optionsSchema = z.object({
  to: z.string(),
  keep: z.string().optional(),
  recipient: z.string().optional(),
  passphrase: z.boolean().optional(),
  passphraseFile: z.string().optional(),
})
type Options = z.infer<typeof optionsSchema>

/** Defines the command that makes a backup while the site runs. */
export function defineBackup(command: CommandUnknownOpts, cli: CommandLine): void {
  command
    .description(
      'writes all rows as they are at one moment, and all pictures, to one file of a folder or bucket. The site may run meanwhile',
    )
    .option(
      '--to <place>',
      'the folder of the backups, or a bucket: s3://bucket/prefix?region=…&endpoint=…',
      'backups',
    )
    .option('--keep <number>', 'deletes older backups there beyond this number, after this one')
    .option('--recipient <key>', 'encrypts for the holder of this age key (age1…)')
    .option('--passphrase', 'encrypts with a passphrase, which it asks for')
    .option('--passphrase-file <file>', 'encrypts with the passphrase in this file; else BACKUP_PASSPHRASE')
    .action(() =>
      cli.run(() =>
        withCommandErrors(BackupError, async () => {
          const options = optionsSchema.parse(command.opts())
          const { to, keep } = options
          const kept = keep === undefined ? null : Number(keep)
          if (kept !== null && !(Number.isInteger(kept) && kept >= 1))
            throw new UsageError('--keep needs a number of at least 1. Nothing was done.')
          const config = await cli.readConfig()
          const made = await createBackup({
            config,
            place: to,
            keep: kept,
            lock: await readLock(options, config, cli),
            settings: await cli.readSettingValues(config.secrets.siteSecret),
            clock: systemClock,
            onProgress: cli.showProgress,
          })
          return { json: made, text: textOf(made) }
        }),
      ),
    )
  addExample(
    command,
    'tidings backup --to /backups --keep 14',
    "tidings backup --to 's3://bucket/tidings?region=eu-central-1' --keep 14 --passphrase-file /run/secrets/backup",
  )
}

function textOf({
  file,
  rows,
  pictures,
  bytes,
  seconds,
  leftovers,
}: Awaited<ReturnType<typeof createBackup>>) {
  const removed = leftovers.map((name) => `Deleted ${name}, which an interrupted backup left.\n`).join('')
  return `${removed}${file}: ${rows} rows and ${pictures} pictures, ${bytes} bytes, in ${seconds.toFixed(1)} s.\nKeep SITE_SECRET elsewhere: it isn't in the backup.\n`
}

async function readLock(options: Options, { backup }: Config, cli: CommandLine): Promise<Lock | null> {
  const { recipient, passphrase, passphraseFile } = options
  if ([recipient, passphrase, passphraseFile].filter((each) => each !== undefined).length > 1)
    throw new UsageError('Use only one of --recipient, --passphrase and --passphrase-file. Nothing was done.')
  if (recipient !== undefined) {
    if (!/^age1[a-z0-9]+$/.test(recipient))
      throw new UsageError(
        '--recipient needs the public key that age-keygen prints (age1…). Nothing was done.',
      )
    return { recipient }
  }
  if (passphraseFile !== undefined)
    return { passphrase: checkPassphrase(await readSecretLine(passphraseFile)) }
  if (passphrase === true) return { passphrase: await askPassphrase(cli) }
  return backup.passphrase === undefined ? null : { passphrase: checkPassphrase(backup.passphrase) }
}

async function askPassphrase(cli: CommandLine): Promise<string> {
  const first = await cli.askSecret('Passphrase: ')
  if (first === null)
    throw new UsageError(
      '--passphrase needs a terminal. Use --passphrase-file, or set BACKUP_PASSPHRASE. Nothing was done.',
    )
  const passphrase = checkPassphrase(first)
  if ((await cli.askSecret('Again: ')) !== passphrase)
    throw new UsageError('The passphrases differ. Nothing was done.')
  return passphrase
}
