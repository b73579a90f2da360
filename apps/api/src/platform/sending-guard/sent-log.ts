import { type FileHandle, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { orWhenMissing } from '../system-errors.ts'
import {
  type HandedOver,
  type LogHeader,
  type LogOutcome,
  parseHeader,
  parseRecord,
} from './sent-log-line.ts'

const keptMs = 6 * 3600_000
const maxBytes = 16_000_000
/** A younger file may still be written. */
const youngMs = 10 * 60_000
const tailBytes = 32_768
const nameForm = /^([\da-f-]{36})\.\d+\.log$/

/** A message in the log with its result: null without a reply. */
export type SentEntry = HandedOver & { at: Date; outcome: LogOutcome | null; mark: string }

export type LogFile = { file: string; mark: string; bytes: number; writtenAt: Date }
/** A file's header and its end. */
export type LogTail = { file: string; header: LogHeader; counter: number; last: HandedOver | null }

/** Lists the files of the log, the newest first. */
export async function listLogFiles(folder: string): Promise<LogFile[]> {
  const names = await orWhenMissing(readdir(folder), [])
  const files = names.map(async (name) => {
    const mark = nameForm.exec(name)?.[1]
    const file = path.join(folder, name)
    const found = mark === undefined ? null : await orWhenMissing(stat(file), null)
    return found === null || mark === undefined
      ? []
      : [{ file, mark, bytes: found.size, writtenAt: found.mtime }]
  })
  const listed = (await Promise.all(files)).flat()
  return listed.sort((one, other) => other.writtenAt.getTime() - one.writtenAt.getTime())
}

/** Returns how far each file got. A killed process may leave an incomplete last line, which doesn't count. */
export async function readTails(files: readonly LogFile[]): Promise<LogTail[]> {
  const tails = await Promise.all(files.map(({ file }) => orWhenMissing(readTail(file), null)))
  return tails.filter((tail) => tail !== null)
}

async function readTail(file: string): Promise<LogTail | null> {
  await using handle = await open(file, 'r')
  const { size } = await handle.stat()
  const header = parseHeader((await readPart(handle, 0, 1_000)).split('\n')[0] ?? '')
  if (header === null) return null
  const lines = (await readPart(handle, Math.max(size - tailBytes, 0), tailBytes)).split('\n')
  const records = lines.map(parseRecord).filter((record) => record !== null)
  return {
    file,
    header,
    counter: records.at(-1)?.counter ?? 0,
    last: records.findLast(({ handedOver }) => handedOver.length > 0)?.handedOver.at(-1) ?? null,
  }
}

async function readPart(handle: FileHandle, from: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from)
  return buffer.toString('utf8', 0, bytesRead)
}

/** Returns all messages of a file, each as it was handed over last. */
export async function readEntries({
  file,
  header: { mark },
}: Pick<LogTail, 'file' | 'header'>): Promise<SentEntry[]> {
  const entries = new Map<string, SentEntry>()
  const text = await orWhenMissing(readFile(file, 'utf8'), '')
  for (const line of text.split('\n')) {
    const record = parseRecord(line)
    if (record === null) continue
    const { at } = record
    // The outcomes of a record belong to earlier ones.
    for (const { id, outcome } of record.outcomes) {
      const entry = entries.get(id)
      if (entry !== undefined) entry.outcome = outcome
    }
    for (const each of record.handedOver) entries.set(each.id, { ...each, at, outcome: null, mark })
  }
  return [...entries.values()]
}

/** Removes files that are old or too many, but never the newest. */
export async function pruneLog(folder: string, now: Date): Promise<void> {
  const files = await listLogFiles(folder)
  let bytes = files[0]?.bytes ?? 0
  for (const { file, writtenAt, ...each } of files.slice(1)) {
    bytes += each.bytes
    const ageMs = now.getTime() - writtenAt.getTime()
    const isKept = ageMs < youngMs || (ageMs < keptMs && bytes <= maxBytes)
    if (!isKept) await rm(file, { force: true })
  }
}
