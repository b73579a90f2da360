import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Clock } from '#platform/clock.ts'
import { isDatabaseUnavailable } from '#platform/database.ts'
import type { FailureLog } from '#platform/failure-log.ts'
import { sha256 } from '#platform/ids.ts'

const intervalMs = 10_000
// Three intervals and a slow query: one slow database response must not replace the worker.
const longestSilenceMs = 45_000

/**
 * Returns the heartbeat file of a site's workers. It is outside the data folder, which several machines may share. Its name
 * belongs to the site, because other sites and users of the machine share the folder for temporary files.
 */
export function heartbeatFileOf({ databaseUrl, dataDir }: { databaseUrl: string; dataDir: string }): string {
  const name = sha256(`${withoutPassword(databaseUrl)}\n${resolve(dataDir)}`).slice(0, 20)
  return join(tmpdir(), `tidings-worker-${name}.heartbeat`)
}

/** Returns a database's address without its password: other users could test guesses against the file's name. */
function withoutPassword(databaseUrl: string): string {
  const url = URL.parse(databaseUrl)
  if (url === null) return ''
  return [url.username, url.host, url.searchParams.get('host') ?? '', url.pathname].join('\n')
}

type Deps = {
  clock: Clock
  failureLog: FailureLog
  pingDatabase: () => Promise<unknown>
  file: string
}

/** Creates the heartbeat of a process without HTTP: a timestamp in a file, renewed while the database is available. */
export function createHeartbeat({ pingDatabase, clock, failureLog, file }: Deps) {
  let timer: NodeJS.Timeout | undefined

  /** Renews the timestamp if the database is available. Never rejects. */
  async function beat(): Promise<void> {
    try {
      await pingDatabase()
      // Renamed, so that a health check never reads a partial timestamp.
      await writeFile(`${file}.new`, clock.now().toISOString())
      await rename(`${file}.new`, file)
      failureLog.recovered('heartbeat')
    } catch (error) {
      if (isDatabaseUnavailable(error)) failureLog.failed('heartbeat', 'The database is unavailable.')
      else failureLog.failed('heartbeat', 'The heartbeat could not be written.', { err: error })
    }
  }

  return {
    beat,
    start(): void {
      void beat()
      timer = setInterval(() => void beat(), intervalMs)
      timer.unref()
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      await rm(file, { force: true }).catch(() => {})
    },
  }
}

/** Returns why the worker on this machine is unhealthy, or null. */
export async function findWorkerFailure(clock: Clock, file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return 'The worker has no heartbeat yet.'
  const silenceMs = clock.now().getTime() - Date.parse(text)
  return silenceMs <= longestSilenceMs ? null : `The worker's last heartbeat was at ${text}.`
}
