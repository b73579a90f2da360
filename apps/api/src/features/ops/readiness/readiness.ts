import type { ReadinessCheck } from '@tidings/contracts/ops'
import type { Drain } from '#http/connections/drain.ts'
import type { MediaStore } from '#integrations/storage/media-store.ts'
import type { DatabaseAvailability } from '#platform/availability/database-availability.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import type { FailureLog } from '#platform/failure-log.ts'
import type { Metrics } from '#platform/metrics.ts'
import type { Notifications } from '#platform/notifications/notifications.ts'
import { createDatabaseState, type DatabaseState } from './database-state.ts'
import { createFolderProbe } from './media-folder.ts'
import { withinTimeLimit } from './within-time-limit.ts'

export type Readiness = ReturnType<typeof createReadiness>

type Deps = {
  database: Database
  notifications: Notifications
  drain: Drain
  failureLog: FailureLog
  metrics: Metrics
  clock: Clock
  migrationsFolder: string
  mediaFolder: string
  /** The store to check instead of the folder, if pictures are in a bucket. */
  store: Pick<MediaStore, 'check'> | null
  availability: Pick<DatabaseAvailability, 'isUnavailable'>
  /** Whether cached responses are served while the database is unavailable. */
  servesWithoutDatabase: () => boolean
}

type Result = { status: 'ready' | 'degraded' | 'not-ready'; checks: ReadinessCheck[] }

const limitMs = 2_000
/** How long a lost listener or a slow database may take to come back before requests go elsewhere. */
const toleratedMs = 10_000
const intervalMs = 5_000
/** The database logs its own cause, and stopping is no failure. */
const loggedElsewhere = new Set(['process', 'database'])
const unknown = 'Unknown, because the database could not be read.'

const folderCheck = { name: 'media-folder', subject: 'The media folder' } as const
const bucketCheck = { name: 'media-bucket', subject: 'The media bucket' } as const

/** Creates the checks of `/readyz`. */
export function createReadiness(deps: Deps) {
  const { drain, failureLog, clock } = deps
  const readDatabase = createDatabaseState({ ...deps, limitMs })
  const probeMedia = withinTimeLimit(createMediaProbe(deps), limitMs)
  const media = deps.store === null ? folderCheck : bucketCheck
  const result = deps.metrics.gauge({
    name: 'tidings_readiness_check_ok',
    help: 'Whether a check of /readyz holds: 1 or 0',
    labelNames: ['check'],
  })
  const hasLasted = createDurations(clock)
  let timer: NodeJS.Timeout | undefined

  /** Records a check. */
  function record(name: string, reason: string | null): ReadinessCheck {
    result.set({ check: name }, reason === null ? 1 : 0)
    if (!loggedElsewhere.has(name)) {
      if (reason === null) failureLog.recovered(name)
      else failureLog.failed(name, reason)
    }
    return reason === null ? { name, ok: true } : { name, ok: false, reason }
  }

  function recordDatabase(state: DatabaseState): ReadinessCheck[] {
    if ('failure' in state) {
      const others = ['migrations', 'database-writes'].map((name) => ({ name, ok: false, reason: unknown }))
      return [record('database', state.failure), ...others]
    }
    const { missingMigrations: missing, isReadOnly } = state
    return [
      record('database', null),
      record(
        'migrations',
        missing.length === 0 ? null : `The database lacks migrations: ${missing.join(', ')}`,
      ),
      record('database-writes', isReadOnly ? 'The database is read-only.' : null),
    ]
  }

  /** Returns whether requests must go to another process. */
  function isFatal(state: DatabaseState, isListening: boolean): boolean {
    const isDeaf = hasLasted('notifications', !isListening)
    const isSlow = 'failure' in state && state.isSlow
    const isHanging = hasLasted('slow database', isSlow)
    if (drain.isDraining()) return true
    if ('failure' in state) {
      const isUnavailable = state.isUnavailable || deps.availability.isUnavailable()
      return isUnavailable ? !deps.servesWithoutDatabase() : !isSlow || isHanging
    }
    return state.isReadOnly || state.missingMigrations.length > 0 || isDeaf
  }

  /** Runs every check, in at most two seconds. */
  async function check(): Promise<Result> {
    const [state, reason] = await Promise.all([
      readDatabase(),
      probeMedia().catch(() => `${media.subject} did not respond in time.`),
    ])
    const isListening = deps.notifications.isListening()
    const checks = [
      record('process', drain.isDraining() ? 'The process is stopping.' : null),
      ...recordDatabase(state),
      record('notifications', isListening ? null : 'Changes by other processes do not arrive.'),
      record(media.name, reason),
    ]
    if (isFatal(state, isListening)) return { status: 'not-ready', checks }
    return { status: checks.every(({ ok }) => ok) ? 'ready' : 'degraded', checks }
  }

  return {
    check,
    /** Checks at an interval, so that log and metrics know without a request. */
    start(): void {
      timer = setInterval(() => void check(), intervalMs)
      timer.unref()
    },
    stop: (): void => clearInterval(timer),
  }
}

/** Returns a function that returns why pictures can't be stored, or null. */
function createMediaProbe({ mediaFolder, store }: Pick<Deps, 'mediaFolder' | 'store'>) {
  if (store === null) return createFolderProbe(mediaFolder)
  return async (): Promise<string | null> => {
    return await store.check().then(
      () => null,
      () => 'The media bucket is unavailable.',
    )
  }
}

/** Returns a function that tells whether a condition has held, at each call, for more than ten seconds. */
function createDurations(clock: Clock) {
  const since = new Map<string, number>()
  return (name: string, holds: boolean): boolean => {
    const now = clock.now().getTime()
    if (!holds) since.delete(name)
    else if (!since.has(name)) since.set(name, now)
    return holds && now - (since.get(name) ?? now) > toleratedMs
  }
}
