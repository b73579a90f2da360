import pg from 'pg'
import type { Logger } from '../logger.ts'

export type DatabaseAvailability = ReturnType<typeof createDatabaseAvailability>

type Options = { url: string; applicationName: string; logger: Logger }

/** How often an unavailable database is tried again: what is stale must end within a second of its return. */
const retryMs = 400
const probeTimeoutMs = 3_000
const tooManyConnections = '53300'

/** Knows whether Postgres can be reached, once something that needed it failed. It has no timer while all is well. */
export function createDatabaseAvailability(options: Options) {
  const { logger } = options
  const foundHandlers: (() => void)[] = []
  let unavailableSince: number | null = null
  let checking: Promise<boolean> | null = null
  let retry: NodeJS.Timeout | undefined
  let stopped = false

  async function probe(): Promise<boolean> {
    const client = createClient(options)
    // An error of a connection that was just closed rejects the query as well.
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('SELECT 1')
      return true
    } catch (error) {
      // Only a running server says so; the connections of the pool still work.
      if (error instanceof pg.DatabaseError && error.code === tooManyConnections) return true
      return false
    } finally {
      client.end().catch(() => undefined)
    }
  }

  function becomeAvailable(): void {
    clearInterval(retry)
    if (unavailableSince !== null) {
      const seconds = Math.round((performance.now() - unavailableSince) / 1_000)
      logger.info({ seconds }, 'database available again')
    }
    unavailableSince = null
    for (const handler of foundHandlers) handler()
  }

  function becomeUnavailable(): void {
    if (unavailableSince !== null || stopped) return
    unavailableSince = performance.now()
    logger.warn('database unavailable')
    // Attempts overlap: one that hangs since before the return must not delay the next one.
    retry = setInterval(() => {
      void probe().then((isAvailable) => {
        if (isAvailable && unavailableSince !== null) becomeAvailable()
      })
    }, retryMs)
    retry.unref()
  }

  return {
    /** Returns whether the last check found no database; it is repeated until there is one. */
    isUnavailable: () => unavailableSince !== null,
    /** Returns whether Postgres can be reached. Concurrent callers share a check. */
    async check(): Promise<boolean> {
      if (unavailableSince !== null) return false
      checking ??= probe().then((isAvailable) => {
        checking = null
        if (isAvailable) becomeAvailable()
        else becomeUnavailable()
        return isAvailable
      })
      return await checking
    },
    /** Calls `handler` whenever a check finds the database. */
    onAvailable: (handler: () => void) => void foundHandlers.push(handler),
    stop(): void {
      stopped = true
      clearInterval(retry)
    },
  }
}

function createClient({ url, applicationName }: Options): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: `${applicationName} probe`,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  })
}
