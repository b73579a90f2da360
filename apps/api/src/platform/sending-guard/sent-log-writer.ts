import { type FileHandle, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { formatHeader, formatRecord, type LogHeader, type LogRecord } from './sent-log-line.ts'

/** The size at which a file is closed and another one begun, so that old ones can be removed. */
const maxBytes = 1_000_000

export function logFileName(mark: string, part: number): string {
  return `${mark}.${part}.log`
}

/**
 * Creates the writer of one sender's log; its first file appears with the first record. It appends without flushing to
 * disk: that survives a killed process, and a power cut leaves a log that knows less, never one that knows more.
 */
export function createLogWriter(folder: string, header: LogHeader) {
  let current: { handle: FileHandle; size: number } | null = null
  let parts = 0

  /** Writes at the end, or nothing at all. */
  async function write(handle: FileHandle, at: number, text: string): Promise<number> {
    const bytes = Buffer.from(text)
    try {
      const { bytesWritten } = await handle.write(bytes, 0, bytes.length, at)
      if (bytesWritten < bytes.length) throw new Error('The disk is full.')
      return at + bytes.length
    } catch (error) {
      await handle.truncate(at).catch(() => {})
      throw error
    }
  }

  async function begin(record: string): Promise<void> {
    const file = path.join(folder, logFileName(header.mark, parts))
    const handle = await open(file, 'wx')
    try {
      current = { handle, size: await write(handle, 0, formatHeader(header) + record) }
      parts += 1
    } catch (error) {
      await handle.close()
      await rm(file, { force: true })
      throw error
    }
  }

  return {
    /** Rejects if it isn't stored. */
    async append(record: LogRecord): Promise<void> {
      const text = formatRecord(record)
      if (current !== null && current.size > maxBytes) {
        await current.handle.close()
        current = null
      }
      if (current === null) await begin(text)
      else current.size = await write(current.handle, current.size, text)
    },
    async close(): Promise<void> {
      await current?.handle.close()
      current = null
    },
  }
}
