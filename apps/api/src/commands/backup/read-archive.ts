import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import { hasCode } from '#platform/errors.ts'
import type { BackupSource } from './backup-source.ts'
import { archiveFormat, type Manifest, manifestName, manifestSchema } from './manifest.ts'
import { BackupError } from './places/backup-error.ts'

type Entry = { name: string; content: Readable }

/** Reads the files of a backup, one after another. Each must be read before the next. */
export async function* readArchive(source: BackupSource): AsyncGenerator<Entry> {
  const tar = extract()
  const content = await source.open()
  content.once('error', (error) => tar.destroy(error))
  content.pipe(tar)
  for await (const entry of tar) {
    yield { name: entry.header.name, content: Readable.from(entry, { objectMode: false }) }
    entry.resume()
  }
}

/** Reads a whole backup and compares each file with its checksum. Returns the manifest. */
export async function verifyArchive(source: BackupSource): Promise<Manifest> {
  const { name: file } = source
  const { found, text } = await readAll(source)
  if (text === null)
    throw new BackupError(
      `${file} is incomplete: its end is missing. Take another backup. Nothing was changed.`,
    )
  const manifest = manifestSchema.parse(JSON.parse(text.toString()))
  if (manifest.format !== archiveFormat)
    throw new BackupError(`${file} was made by Tidings ${manifest.version}. Restore it with that version.`)
  const damaged = manifest.files.find(
    ({ name, sha256 }) => name !== manifestName && found.get(name) !== sha256,
  )
  if (damaged !== undefined)
    throw new BackupError(`${file} is damaged at ${damaged.name}. Take another backup. Nothing was changed.`)
  return manifest
}

async function readAll(source: BackupSource) {
  const found = new Map<string, string>()
  let text: Buffer | null = null
  try {
    for await (const { name, content } of readArchive(source)) {
      if (name === manifestName) {
        text = await buffer(content)
        continue
      }
      const hash = createHash('sha256')
      for await (const chunk of content) hash.update(chunk)
      found.set(name, hash.digest('hex'))
    }
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(
      `${source.name} can't be read: ${reasonOf(error)}. Check the file and its key or passphrase, or take another backup. Nothing was changed.`,
    )
  }
  return { found, text }
}

function reasonOf(error: unknown): string {
  const cause = hasCode(error, 'service-unavailable') && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
