import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import { BackupError } from './backup-error.ts'
import { decrypt } from './encryption.ts'
import { archiveFormat, type Manifest, manifestName, manifestSchema } from './manifest.ts'

type Entry = { name: string; content: Readable }

/** Reads the files of a backup, one after another. Each must be read before the next. */
export async function* readArchive(file: string, identity: string | undefined): AsyncGenerator<Entry> {
  const stored = createReadStream(file)
  const tar = extract()
  const isEncrypted = file.endsWith('.age')
  if (isEncrypted && identity === undefined)
    throw new BackupError(`${file} is encrypted. Name the file of its age key with --identity.`)
  const content: Readable = isEncrypted && identity !== undefined ? await decrypt(stored, identity) : stored
  content.once('error', (error) => tar.destroy(error))
  content.pipe(tar)
  for await (const entry of tar) {
    yield { name: entry.header.name, content: Readable.from(entry, { objectMode: false }) }
    entry.resume()
  }
}

/** Reads a whole backup and compares each file with its checksum. Returns the manifest. */
export async function verifyArchive(file: string, identity: string | undefined): Promise<Manifest> {
  const { found, text } = await readAll(file, identity)
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

async function readAll(file: string, identity: string | undefined) {
  const found = new Map<string, string>()
  let text: Buffer | null = null
  try {
    for await (const { name, content } of readArchive(file, identity)) {
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
      `${file} can't be read: ${error instanceof Error ? error.message : String(error)}. Check the file and its key, or take another backup. Nothing was changed.`,
    )
  }
  return { found, text }
}
