import { z } from 'zod'
import type { Config } from '#config/config.ts'
import type { SettingValue } from '#config/setting.ts'
import type { Clock } from '#platform/clock.ts'
import { hasErrorCode } from '#platform/system-errors.ts'
import { createArchiveWriter } from './archive-writer.ts'
import { readRows, withConnection } from './connection.ts'
import { dumpDatabase } from './dump-database.ts'
import { encrypt, type Lock } from './encryption.ts'
import { archiveFormat, fingerprintOf, leftOut, type Manifest, mediaFolder } from './manifest.ts'
import { openPictures, type Pictures } from './pictures.ts'
import { BackupError } from './places/backup-error.ts'
import { backupName } from './places/backup-name.ts'
import { openBackupPlace } from './places/backup-place.ts'
import type { BackupStore } from './places/backup-store.ts'
import { withSiteLock } from './site-lock.ts'

type Options = {
  config: Config
  /** A folder, or a bucket as `s3://…`. */
  place: string
  /** How many backups the place keeps; null for all. */
  keep: number | null
  /** The readers of it; null for everyone who has the file. */
  lock: Lock | null
  settings: readonly SettingValue[]
  clock: Clock
  onProgress: (text: string) => void
}

/** Writes a backup to a folder or bucket, where it is complete or absent. Throws {@link BackupError}. */
export async function createBackup(options: Options) {
  const { config, place, keep, clock } = options
  const store = openBackupPlace(place, config)
  return await withSiteLock(config.database.listenUrl, async () => {
    const leftovers = await store.removeLeftovers()
    await checkSpace(store, config)
    const { name, bytes, manifest } = await writeBackup(store, options)
    await recordBackup(config, { bytes, kind: store.kind }, clock)
    const removed = keep === null ? [] : (await store.list()).slice(keep)
    for (const old of removed) await store.remove(old)
    const { tables, media, seconds } = manifest
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    return { file: store.addressOf(name), bytes, rows, pictures: media.files, seconds, removed, leftovers }
  })
}

async function writeBackup(store: BackupStore, { config, lock, clock, settings, onProgress }: Options) {
  const startedAt = clock.now()
  const name = backupName(startedAt, { isEncrypted: lock !== null })
  const archive = createArchiveWriter()
  const content = lock === null ? archive.stream : await encrypt(archive.stream, lock)
  const fill = async (): Promise<Manifest> => {
    try {
      // The rows first: a picture that they name is stored before them.
      const database = await dumpDatabase(config.database.listenUrl, archive, onProgress)
      const media = await addPictures(openPictures(config), archive, onProgress)
      const manifest = {
        format: archiveFormat,
        createdAt: startedAt.toISOString(),
        seconds: (clock.now().getTime() - startedAt.getTime()) / 1000,
        ...config.build,
        site: config.site.identity,
        siteSecret: fingerprintOf(config.secrets.siteSecret),
        ...database,
        media,
        leftOut,
        settings: [...settings],
        files: archive.files,
      }
      await archive.finish(manifest)
      return manifest
    } catch (error) {
      archive.abort(error instanceof Error ? error : new Error(String(error)))
      throw error
    }
  }
  const [filled, written] = await Promise.allSettled([fill(), store.write(name, content)])
  // A full disk also ends the archive, for a reason that says less.
  if (written.status === 'rejected' && hasErrorCode(written.reason, 'ENOSPC'))
    throw new BackupError(
      `The disk of ${store.addressOf(name)} is full. Delete old backups, or name another folder with --to.`,
    )
  if (filled.status === 'rejected') throw filled.reason
  if (written.status === 'rejected') throw written.reason
  return { name, bytes: written.value, manifest: filled.value }
}

/** Throws unless the folder has room for as much as the last backup, or as the database. */
async function checkSpace(store: BackupStore, { database }: Config): Promise<void> {
  const free = await store.freeBytes()
  if (free === null) return
  const [last] = await store.list()
  const needed =
    ((last === undefined ? null : await store.sizeOf(last)) ?? (await databaseBytes(database.listenUrl))) *
    1.1
  if (free >= needed) return
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`
  throw new BackupError(
    `${store.addressOf('')} has ${megabytes(free)} free, and the backup needs about ${megabytes(needed)}. Delete old backups, or name another folder with --to. Nothing was written.`,
  )
}

async function databaseBytes(url: string): Promise<number> {
  const sql = 'SELECT pg_database_size(current_database())::float8 AS bytes'
  const rows = await withConnection(url, (client) => readRows(client, z.object({ bytes: z.number() }), sql))
  return rows[0]?.bytes ?? 0
}

async function addPictures(
  pictures: Pictures,
  archive: ReturnType<typeof createArchiveWriter>,
  onProgress: (text: string) => void,
): Promise<Manifest['media']> {
  const media = { files: 0, bytes: 0 }
  for await (const name of pictures.list()) {
    const picture = await pictures.read(name)
    if (picture === null) continue
    await archive.add(`${mediaFolder}${name}`, picture)
    media.files += 1
    media.bytes += picture.byteLength
    if (media.files % 100 === 0) onProgress(`Copied ${media.files} pictures`)
  }
  return media
}

/** Records the backup for the metrics, once it is complete. */
async function recordBackup(
  { database }: Config,
  { bytes, kind }: { bytes: number; kind: string },
  clock: Clock,
): Promise<void> {
  const sql = 'INSERT INTO backup_record (finished_at, bytes, kind) VALUES ($1, $2, $3)'
  await withConnection(database.listenUrl, (client) => client.query(sql, [clock.now(), bytes, kind]))
}
