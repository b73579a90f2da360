import { appendFile, mkdtemp, readdir, readFile, rm, truncate, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listLogFiles, pruneLog, readEntries, readTails } from './sent-log.ts'
import { formatRecord, type LogRecord, parseRecord } from './sent-log-line.ts'
import { createLogWriter, logFileName } from './sent-log-writer.ts'

const at = new Date('2026-11-20T10:00:00Z')
const mark = '0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee'
const header = { mark, folder: mark, epoch: 1, ledger: 'deliveries', subject: 'edition 2026-11-20 10AM' }
const idOf = (number: number) => `0199aaaa-bbbb-7ccc-8ddd-${String(number).padStart(12, '0')}`
const handedOver = (number: number, attempts = 1) => ({
  id: idOf(number),
  message: idOf(number),
  attempts,
  key: `key ${number}`,
})

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-log-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Writes a log with a record for each of these messages. */
async function writeLog(folder: string, count: number, of = mark): Promise<string> {
  const log = createLogWriter(folder, { ...header, mark: of })
  for (let n = 1; n <= count; n += 1)
    await log.append({ counter: n, at, handedOver: [handedOver(n)], outcomes: [] })
  await log.close()
  return path.join(folder, logFileName(of, 0))
}

describe('the log of what is sent', () => {
  it('returns every record that is stored in it', () => {
    const message = fc.record({
      id: fc.uuid(),
      message: fc.uuid(),
      attempts: fc.integer({ min: 1, max: 99 }),
      key: fc.string(),
    })
    const outcome = fc.record({ id: fc.uuid(), outcome: fc.constantFrom('accepted', 'refused') })
    const record: fc.Arbitrary<LogRecord> = fc.record({
      counter: fc.nat(),
      at: fc.nat().map((ms) => new Date(ms)),
      handedOver: fc.array(message),
      outcomes: fc.array(outcome),
    })
    fc.assert(
      fc.property(record, (of) => {
        expect(parseRecord(formatRecord(of).trimEnd())).toEqual(of)
      }),
      { seed: 57 },
    )
  })

  it('has of each message how it was handed over last, and what became of it', async () => {
    const folder = await createFolder()
    const log = createLogWriter(folder, header)
    await log.append({ counter: 1, at, handedOver: [handedOver(1), handedOver(2)], outcomes: [] })
    const outcomes = [
      { id: idOf(1), outcome: 'accepted' },
      { id: idOf(2), outcome: 'refused' },
    ] as const
    await log.append({ counter: 4, at, handedOver: [handedOver(2, 2), handedOver(3)], outcomes })
    await log.close()

    expect(await readEntries({ file: path.join(folder, logFileName(mark, 0)), header })).toEqual([
      { ...handedOver(1), at, mark, outcome: 'accepted' },
      { ...handedOver(2, 2), at, mark, outcome: null },
      { ...handedOver(3), at, mark, outcome: null },
    ])
    expect(await readTails(await listLogFiles(folder))).toMatchObject([
      { header, counter: 4, last: handedOver(3) },
    ])
  })

  it('loses only its last record when it is cut anywhere in it', async () => {
    const folder = await createFolder()
    const file = await writeLog(folder, 3)
    const bytes = (await readFile(file)).length
    const lastLine = (await readFile(file, 'utf8')).trimEnd().split('\n').at(-1)?.length ?? 0
    for (let missing = 2; missing <= lastLine; missing += 7) {
      await truncate(file, bytes - missing)
      expect(await readTails(await listLogFiles(folder))).toMatchObject([{ counter: 2, last: handedOver(2) }])
      expect(await readEntries({ file, header })).toHaveLength(2)
    }
    await appendFile(file, '\0'.repeat(4_096))
    expect(await readEntries({ file, header })).toHaveLength(2)
  })

  it('stores no part of a record that does not fit on the disk, and continues once it does', async () => {
    const log = createLogWriter('/dev/full', header)
    await expect(log.append({ counter: 1, at, handedOver: [], outcomes: [] })).rejects.toThrow()

    const folder = path.join(await createFolder(), 'missing')
    const late = createLogWriter(folder, header)
    await expect(late.append({ counter: 1, at, handedOver: [], outcomes: [] })).rejects.toThrow('ENOENT')
    expect(await listLogFiles(folder)).toEqual([])
  })

  it('is divided into files, of which old ones are removed, but never the newest', async () => {
    const folder = await createFolder()
    const log = createLogWriter(folder, header)
    const many = Array.from({ length: 4_000 }, (_, index) => handedOver(index))
    for (let counter = 1; counter <= 20; counter += 1)
      await log.append({ counter, at, handedOver: many, outcomes: [] })
    await log.close()
    const names = await readdir(folder)
    expect(names.length).toBeGreaterThan(2)

    await pruneLog(folder, new Date(Date.parse(await lastWrite(folder)) + 60_000))
    expect(await readdir(folder)).toHaveLength(names.length)
    await age(folder, new Date('2026-11-20T00:00:00Z'))
    await pruneLog(folder, new Date('2026-11-20T07:00:00Z'))
    expect(await readdir(folder)).toHaveLength(1)
    await writeLog(folder, 1, idOf(9))
    await pruneLog(folder, new Date('2026-11-20T07:00:00Z'))
    expect(await readdir(folder)).toEqual([logFileName(idOf(9), 0)])
  })

  it('never has more than 16 MB of what is older than ten minutes', async () => {
    const folder = await createFolder()
    const written = new Date('2026-11-20T00:00:00Z')
    const many = Array.from({ length: 20_000 }, (_, index) => handedOver(index))
    for (let number = 0; number < 20; number += 1) {
      const log = createLogWriter(folder, { ...header, mark: idOf(number) })
      await log.append({ counter: 1, at, handedOver: many, outcomes: [] })
      await log.close()
    }
    await age(folder, written)
    await pruneLog(folder, new Date('2026-11-20T00:11:00Z'))
    const bytes = (await listLogFiles(folder)).reduce((sum, file) => sum + file.bytes, 0)
    expect(bytes).toBeLessThanOrEqual(16_000_000)
    expect(bytes).toBeGreaterThan(14_000_000)
  })
})

async function age(folder: string, to: Date): Promise<void> {
  for (const name of await readdir(folder)) await utimes(path.join(folder, name), to, to)
}

async function lastWrite(folder: string): Promise<string> {
  return (await listLogFiles(folder))[0]?.writtenAt.toISOString() ?? ''
}
