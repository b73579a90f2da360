import pg from 'pg'
import type { Db } from './database.ts'
import type { Logger } from './logger.ts'

/** Channels between the processes. Payloads are short: Postgres refuses more than 8,000 bytes. */
export type NotificationChannel = 'tidings_invalidate' | 'tidings_new_memo' | 'tidings_typing'

export type Notifications = {
  /** Hears a channel from `start` on. To be called before `start`. */
  on(channel: NotificationChannel, handler: (payload: string) => void): void
  /** Called when the line was lost: what arrives from now on is missed. */
  onLost(handler: () => void): void
  /** Called when the line is back after a loss, so that whatever was missed is read again. */
  onRestored(handler: () => void): void
  /** Whether everything that is sent now is heard. */
  isListening(): boolean
  /** Opens the line and keeps it open; resolves once the first try has succeeded or failed. */
  start(): Promise<void>
  stop(): Promise<void>
}

const heartbeatMs = 5_000
const heartbeatTimeoutMs = 4_000
const firstRetryMs = 100
const longestRetryMs = 2_000

/** LISTENs on a connection of its own, notices when it dies, and opens it again for as long as it takes. */
export function createNotifications(options: {
  url: string
  logger: Logger
  applicationName: string
}): Notifications {
  const { logger } = options
  const handlers = new Map<string, ((payload: string) => void)[]>()
  const lostHandlers: (() => void)[] = []
  const restoredHandlers: (() => void)[] = []
  let client: pg.Client | null = null
  let heartbeat: NodeJS.Timeout | undefined
  let retry: NodeJS.Timeout | undefined
  let retryMs = firstRetryMs
  let stopped = false
  let everLost = false

  async function open(): Promise<void> {
    const next = new pg.Client({
      connectionString: options.url,
      application_name: `${options.applicationName} listener`,
      connectionTimeoutMillis: 5_000,
      query_timeout: heartbeatTimeoutMs,
      keepAlive: true,
    })
    next.on('error', () => lose(next))
    next.on('end', () => lose(next))
    next.on('notification', ({ channel, payload }) => dispatch(channel, payload ?? ''))
    try {
      await next.connect()
      for (const channel of handlers.keys()) await next.query(`LISTEN ${next.escapeIdentifier(channel)}`)
    } catch (error) {
      logger.warn({ err: error, retryMs }, 'cannot listen to the database yet')
      await next.end().catch(() => undefined)
      if (!stopped) {
        // A line that could not be opened at boot has also missed things.
        everLost = true
        scheduleRetry()
      }
      return
    }
    if (stopped) return await next.end()
    client = next
    retryMs = firstRetryMs
    heartbeat = setInterval(() => void beat(next), heartbeatMs)
    heartbeat.unref()
    if (everLost) {
      logger.info('listening to the database again')
      for (const handler of restoredHandlers) handler()
    }
  }

  function dispatch(channel: string, payload: string): void {
    for (const handler of handlers.get(channel) ?? []) {
      try {
        handler(payload)
      } catch (error) {
        logger.error({ err: error, channel }, 'a notification could not be handled')
      }
    }
  }

  async function beat(current: pg.Client): Promise<void> {
    try {
      await current.query('SELECT 1')
    } catch {
      lose(current)
    }
  }

  function lose(current: pg.Client): void {
    if (client !== current) return
    client = null
    everLost = true
    clearInterval(heartbeat)
    current.end().catch(() => undefined)
    if (stopped) return
    logger.warn('the line to the database was lost')
    for (const handler of lostHandlers) handler()
    scheduleRetry()
  }

  function scheduleRetry(): void {
    retry = setTimeout(() => void open(), retryMs)
    retryMs = Math.min(retryMs * 2, longestRetryMs)
  }

  return {
    on(channel, handler) {
      handlers.set(channel, [...(handlers.get(channel) ?? []), handler])
    },
    onLost: (handler) => void lostHandlers.push(handler),
    onRestored: (handler) => void restoredHandlers.push(handler),
    isListening: () => client !== null,
    start: open,
    async stop() {
      stopped = true
      clearTimeout(retry)
      clearInterval(heartbeat)
      const current = client
      client = null
      await current?.end().catch(() => undefined)
    },
  }
}

/** Sends to every process when the transaction commits, and not at all when it rolls back. */
export async function notify(db: Db, channel: NotificationChannel, payload: string): Promise<void> {
  await db.$queryRaw`SELECT pg_notify(${channel}, ${payload})::text`
}
