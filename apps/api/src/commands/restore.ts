import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { z } from 'zod'
import type { Config } from '#config/config.ts'
import { systemClock } from '#platform/clock.ts'
import { sourceOf } from './backup/backup-source.ts'
import { compareSettings } from './backup/compare-settings.ts'
import { databaseNameOf } from './backup/connection.ts'
import type { Unlock } from './backup/encryption.ts'
import { checkRights } from './backup/fresh-database.ts'
import type { Manifest } from './backup/manifest.ts'
import { readSecretLine } from './backup/passphrase.ts'
import { BackupError } from './backup/places/backup-error.ts'
import { findBackup } from './backup/places/backup-place.ts'
import { verifyArchive } from './backup/read-archive.ts'
import { checkUsable, isUsed, restoreBackup } from './backup/restore-backup.ts'
import type { RestoredPicture } from './backup/restore-report.ts'
import { addExample, type CommandLine, UsageError, withCommandErrors } from './command-line.ts'

const optionsSchema = z.object({
  replace: z.boolean().optional(),
  identity: z.string().optional(),
  passphraseFile: z.string().optional(),
  otherSecret: z.boolean().optional(),
  yes: z.boolean().optional(),
})
type Options = z.infer<typeof optionsSchema>

/** Defines the command that restores a backup. Until it is complete, the site stays as it was. */
export function defineRestore(command: CommandUnknownOpts, cli: CommandLine): void {
  command
    .description(
      'restores a backup: checks it, loads it beside the database, takes its place, and holds all sending. The site may run meanwhile. The role of DATABASE_URL must be able to create databases',
    )
    .argument('<backup>', 'the file, or s3://bucket/prefix/NAME?region=…; of a folder or bucket, the newest')
    .option('--replace', 'replaces a site with editions or members; its database is kept under another name')
    .option('--identity <file>', 'the file of the age key of an encrypted backup')
    .option('--passphrase-file <file>', 'the file of its passphrase; else BACKUP_PASSPHRASE, or it asks')
    .option('--other-secret', 'accepts another SITE_SECRET')
    .option('--yes', 'confirms')
    .action(() =>
      cli.run((print) =>
        withCommandErrors(BackupError, async () => {
          const options = optionsSchema.parse(command.opts())
          const config = await cli.readConfig()
          const { store, name } = await findBackup(command.args[0] ?? '', config)
          await checkRights(config.database.listenUrl)
          const source = sourceOf(store, name, await readUnlock(options, config, cli))
          cli.showProgress('Checking the backup')
          const manifest = await verifyArchive(source)
          await checkUsable(manifest, config, options.otherSecret === true)
          const here = await cli.readSettingValues(config.secrets.siteSecret)
          const settings = compareSettings(manifest.settings, here)
          if (settings.length > 0)
            print(`Settings that differ:\n${settings.map((line) => `  ${line}\n`).join('')}`)
          await confirmReplacement(manifest, { options, config, cli, backup: source.name })
          const clock = systemClock
          const restored = await restoreBackup(manifest, {
            config,
            source,
            clock,
            onProgress: cli.showProgress,
          })
          const { createdAt, site } = manifest
          const json = { backup: source.name, ...restored, createdAt, site, settings }
          return { json, text: textOf(json) }
        }),
      ),
    )
  addExample(
    command,
    'tidings restore /backups/tidings-20261127T030000Z.tar',
    "tidings restore 's3://bucket/tidings?region=eu-central-1' --replace",
  )
}

async function confirmReplacement(
  manifest: Manifest,
  { options, config, cli, backup }: { options: Options; config: Config; cli: CommandLine; backup: string },
): Promise<void> {
  if (!(await isUsed(config.database.listenUrl))) return
  const name = databaseNameOf(config.database.listenUrl)
  if (options.replace !== true)
    throw new UsageError(
      `The database ${name} has editions or members. Add --replace to restore in its place. Nothing was changed.`,
    )
  const question = `${backup}, the backup of ${manifest.createdAt}, takes the place of the database ${name}. What happened since is then missing.`
  await cli.confirm({ question, expected: name, isConfirmed: options.yes })
}

type Restored = Awaited<ReturnType<typeof restoreBackup>> & { backup: string; createdAt: string }

function textOf({
  backup,
  createdAt,
  rows,
  tables,
  files,
  pictures,
  counts,
  edition,
  picture,
  former,
  leftovers,
}: Restored) {
  const found = Object.entries(counts).map(([what, count]) => `${count} ${what}`)
  const lines = [
    ...leftovers.map((name) => `Deleted the database ${name}, which an interrupted restore left.`),
    `Restored ${backup} of ${createdAt}: ${rows} rows of ${tables} tables, and ${pictures} pictures.`,
    `Checksums: ${files} files, all right.`,
    `It has ${found.join(', ')}.`,
    edition === null
      ? 'It has no published edition.'
      : `Read the edition ${edition.key}: ${edition.memos} ${edition.memos === 1 ? 'memo' : 'memos'}, the first ${JSON.stringify(edition.title ?? '')}.`,
    picture === null ? 'It has no pictures.' : pictureText(picture),
    `The former database is kept as ${former}; drop it when you don't need it.`,
    "Nothing is sent until you run 'tidings deliveries confirm-instance'.",
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function pictureText({ name, width, height, bytes, problem }: RestoredPicture): string {
  return problem === null
    ? `Read the picture ${name}: ${width} × ${height} pixels, ${bytes} bytes.`
    : `The picture ${name} can't be shown: ${problem}. Look at others, and upload it again.`
}

async function readUnlock(options: Options, { backup }: Config, cli: CommandLine): Promise<Unlock> {
  const { identity, passphraseFile } = options
  const fromFile = passphraseFile === undefined ? undefined : await readSecretLine(passphraseFile)
  const known = fromFile ?? backup.passphrase
  let asked: Promise<string | null> | undefined
  return {
    identity: identity === undefined ? undefined : await readSecretLine(identity, 'AGE-SECRET-KEY-'),
    async readPassphrase() {
      if (known !== undefined) return known
      asked ??= cli.askSecret('Passphrase of the backup: ')
      return await asked
    },
  }
}
