import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack } from 'tar-stream'
import { type ArchiveFile, type Manifest, manifestName } from './manifest.ts'

export type ArchiveWriter = ReturnType<typeof createArchiveWriter>

/** Creates a tar archive as a stream, which its reader must consume meanwhile. The manifest comes last. */
export function createArchiveWriter() {
  const tar = pack()
  const files: ArchiveFile[] = []

  /** Adds a file as it arrives. Its size must be known. */
  async function addStream(name: string, size: number, content: AsyncIterable<Uint8Array>): Promise<void> {
    const hash = createHash('sha256')
    let bytes = 0
    const hashed = async function* () {
      for await (const chunk of content) {
        hash.update(chunk)
        bytes += chunk.byteLength
        yield chunk
      }
    }
    await pipeline(Readable.from(hashed(), { objectMode: false }), tar.entry({ name, size }))
    files.push({ name, bytes, sha256: hash.digest('hex') })
  }

  return {
    stream: Readable.from(tar, { objectMode: false }),
    files,
    addStream,
    add: (name: string, content: Uint8Array) => addStream(name, content.byteLength, inOne(content)),
    /** Adds the manifest, and ends the archive. */
    async finish(manifest: Manifest): Promise<void> {
      const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
      await addStream(manifestName, text.byteLength, inOne(text))
      tar.finalize()
    },
    /** Ends the archive without a manifest, which makes it invalid. */
    abort: (error: Error) => tar.destroy(error),
  }
}

async function* inOne(content: Uint8Array) {
  yield content
}
