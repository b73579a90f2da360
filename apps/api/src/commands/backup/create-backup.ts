import path from 'node:path'
import type { Config } from '#config/config.ts'
import type { Clock } from '#platform/clock.ts'
import { createArchiveWriter } from './archive-writer.ts'
import { backupName, openBackupFolder } from './backup-folder.ts'
import { withConnection } from './connection.ts'
import { dumpDatabase } from './dump-database.ts'
import { encrypt } from './encryption.ts'
import { archiveFormat, fingerprintOf, leftOut, type Manifest, mediaFolder } from './manifest.ts'
import { openPictures, type Pictures } from './pictures.ts'

type Options = {
  config: Config
  folder: string
  /** How many backups the folder keeps; null for all. */
  keep: number | null
  recipient: string | undefined
  clock: Clock
  onProgress: (text: string) => void
}

/** Writes a backup into a folder. Until it is complete, its name ends with `.partial`. */
export async function createBackup(options: Options) {
  const { config, folder, keep, recipient, clock, onProgress } = options
  const startedAt = clock.now()
  const store = openBackupFolder(folder)
  const name = backupName(startedAt, { isEncrypted: recipient !== undefined })
  const archive = createArchiveWriter()
  const content = recipient === undefined ? archive.stream : await encrypt(archive.stream, recipient)
  const fill = async (): Promise<Manifest> => {
    try {
      // The rows first: a picture that they name is stored before them.
      const database = await dumpDatabase(config.database.listenUrl, archive, onProgress)
      const pictures = openPictures(config)
      const media = await addPictures(pictures, archive, onProgress)
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
        files: archive.files,
      }
      await archive.finish(manifest)
      return manifest
    } catch (error) {
      archive.abort(error instanceof Error ? error : new Error(String(error)))
      throw error
    }
  }
  const filling = fill()
  const [filled, written] = await Promise.allSettled([filling, store.write(name, content)])
  if (filled.status === 'rejected') throw filled.reason
  if (written.status === 'rejected') throw written.reason
  await recordBackup(config, written.value, clock)
  const removed = keep === null ? [] : (await store.list()).slice(keep)
  for (const old of removed) await store.remove(old)
  const { tables, media, seconds } = filled.value
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const file = path.join(folder, name)
  return { file, bytes: written.value, rows, pictures: media.files, seconds, removed }
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
async function recordBackup({ database }: Config, bytes: number, clock: Clock): Promise<void> {
  const sql = "INSERT INTO backup_record (finished_at, bytes, kind) VALUES ($1, $2, 'folder')"
  await withConnection(database.listenUrl, (client) => client.query(sql, [clock.now(), bytes]))
}
