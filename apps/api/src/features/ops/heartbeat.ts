import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '#platform/clock.ts'
import type { Logger } from '#platform/logger.ts'

const beatMs = 10_000
// Three beats and a slow query: one hiccup of the database is no reason to replace a worker.
const longestSilenceMs = 45_000

/** Where a worker notes that it lives. It belongs to the machine or container, not to the shared data folder. */
const heartbeatFile = join(tmpdir(), 'tidings-worker.heartbeat')

type Deps = {
  /** Rejects when the database does not answer. */
  askDatabase: () => Promise<unknown>
  clock: Clock
  logger: Logger
  file?: string
}

export type Heartbeat = {
  /** Asks the database and, when it answers, notes the time. Never rejects. */
  beat(): Promise<void>
  /** Beats at once and then every ten seconds. */
  start(): void
  /** Ends the beating and takes the note away. */
  stop(): Promise<void>
}

/** The sign of life of a process without HTTP: an instant in a file, renewed only while the database answers. */
export function createHeartbeat({ askDatabase, clock, logger, file = heartbeatFile }: Deps): Heartbeat {
  let timer: NodeJS.Timeout | undefined

  async function beat(): Promise<void> {
    try {
      await askDatabase()
      // Whoever checks meanwhile reads the old instant or the new one, never half of one.
      await writeFile(`${file}.new`, clock.now().toISOString())
      await rename(`${file}.new`, file)
    } catch (error) {
      logger.warn({ err: error }, 'no heartbeat this time')
    }
  }

  return {
    beat,
    start() {
      void beat()
      timer = setInterval(() => void beat(), beatMs)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await rm(file, { force: true }).catch(() => {})
    },
  }
}

/** What is wrong with the worker of this machine, as a sentence; null when its heart beats. */
export async function findSilence(clock: Clock, file: string = heartbeatFile): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return 'The worker has given no sign of life yet.'
  const silenceMs = clock.now().getTime() - Date.parse(text)
  if (silenceMs <= longestSilenceMs) return null
  return `The worker has given no sign of life since ${text}.`
}
