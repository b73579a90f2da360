import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signalGroup } from './child.ts'
import { factsOf, isAlive } from './process-facts.ts'

const patienceMs = 10_000

type Entry = { name: string; pid: number; command: string }

export type ProcessRecord = {
  /** Notes a child that was started, so that the next start can find it should this process be killed. */
  add(name: string, pid: number): Promise<void>
  /** Forgets all of it, once everything has ended. */
  remove(): Promise<void>
}

export class AlreadyRunningError extends Error {}

/**
 * The record of a data folder's processes. Ends what a killed start left behind, as far as number and command line prove
 * that it is the same process. Throws `AlreadyRunningError` when the start that wrote the record still runs.
 */
export async function openProcessRecord(
  dataDir: string,
  say: (line: string) => void,
): Promise<ProcessRecord> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, 'processes.json')
  const left = await provablyOurs(await readEntries(path))
  const launcher = left.find(({ name }) => name === 'launcher')
  if (launcher) {
    throw new AlreadyRunningError(
      `Tidings runs already on ${dataDir} (process ${launcher.pid}). Stop that one first, or start this one with another ` +
        'DATA_DIR, PORT and SANDBOX_PORT.',
    )
  }
  if (left.length > 0)
    say(`Ending what an earlier start left running: ${left.map(({ name }) => name).join(', ')}`)
  await Promise.all(left.map(({ pid }) => end(pid)))

  const entries: Entry[] = []
  let writing = Promise.resolve()
  const add = async (name: string, pid: number) => {
    entries.push({ name, pid, command: (await factsOf(pid))?.command ?? '' })
    // One after the other, and never half a file.
    writing = writing.then(async () => {
      await writeFile(`${path}.new`, JSON.stringify(entries, null, 2))
      await rename(`${path}.new`, path)
    })
    await writing
  }
  await add('launcher', process.pid)
  return {
    add,
    async remove() {
      await writing
      await rm(path, { force: true })
    },
  }
}

async function readEntries(path: string): Promise<Entry[]> {
  try {
    const parsed: unknown = JSON.parse(await readFile(path, 'utf8'))
    return Array.isArray(parsed) ? parsed.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(value: unknown): value is Entry {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['name', 'command'].every((key) => typeof Reflect.get(value, key) === 'string') &&
    Number.isInteger(Reflect.get(value, 'pid'))
  )
}

/** Those entries whose process lives and still is what it was. */
async function provablyOurs(entries: Entry[]): Promise<Entry[]> {
  const checked = await Promise.all(
    entries.map(async (entry) => {
      if (entry.pid === process.pid || entry.command === '') return []
      return (await factsOf(entry.pid))?.command === entry.command ? [entry] : []
    }),
  )
  return checked.flat()
}

async function end(pid: number) {
  signalGroup(pid, 'SIGTERM')
  const deadline = Date.now() + patienceMs
  while (isAlive(pid) && (await factsOf(pid))) {
    if (Date.now() > deadline) signalGroup(pid, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
