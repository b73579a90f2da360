import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signalGroup } from './child.ts'
import { findProcessFacts, isAlive } from './process-facts.ts'

const stopTimeoutMs = 10_000

type Entry = { name: string; pid: number; command: string }

export type ProcessRecord = {
  /** Records a started child, so that the next start finds it if this process is killed. */
  add(name: string, pid: number): Promise<void>
  /** Deletes the record, once everything has ended. */
  remove(): Promise<void>
}

export class AlreadyRunningError extends Error {}

/**
 * Opens the record of a data folder's processes and ends those that a killed start left, if their id and command match.
 * Throws `AlreadyRunningError` when the start that wrote the record still runs.
 */
export async function openProcessRecord(
  dataDir: string,
  say: (line: string) => void,
): Promise<ProcessRecord> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, 'processes.json')
  const leftovers = await findLeftovers(await readEntries(path))
  const launcher = leftovers.find(({ name }) => name === 'launcher')
  if (launcher) {
    throw new AlreadyRunningError(
      `Tidings is already running on ${dataDir} (process ${launcher.pid}). Stop it first, or choose another DATA_DIR, ` +
        'PORT and SANDBOX_PORT.',
    )
  }
  if (leftovers.length > 0)
    say(`Stopping processes of an earlier start: ${leftovers.map(({ name }) => name).join(', ')}`)
  await Promise.all(leftovers.map(({ pid }) => stopProcess(pid)))

  const entries: Entry[] = []
  let writing = Promise.resolve()
  const add = async (name: string, pid: number) => {
    entries.push({ name, pid, command: (await findProcessFacts(pid))?.command ?? '' })
    // Writes run one after another and replace the whole file.
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

/** Returns the entries whose process is alive and runs the same command. */
async function findLeftovers(entries: Entry[]): Promise<Entry[]> {
  const checked = await Promise.all(
    entries.map(async (entry) => {
      if (entry.pid === process.pid || entry.command === '') return []
      return (await findProcessFacts(entry.pid))?.command === entry.command ? [entry] : []
    }),
  )
  return checked.flat()
}

async function stopProcess(pid: number) {
  signalGroup(pid, 'SIGTERM')
  const deadline = Date.now() + stopTimeoutMs
  while (isAlive(pid) && (await findProcessFacts(pid))) {
    if (Date.now() > deadline) signalGroup(pid, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
