import pg from 'pg'
import type { Db } from './database.ts'
import type { Logger } from './logger.ts'

/** A channel between the processes. Postgres refuses payloads of more than 8,000 bytes. */
export type NotificationChannel = `tidings_${string}`

export type Notifications = ReturnType<typeof createNotifications>

type Options = { url: string; logger: Logger; applicationName: string }

const heartbeatMs = 5_000
const heartbeatTimeoutMs = 4_000
const firstRetryMs = 100
const longestRetryMs = 2_000

/** Receives Postgres notifications on its own connection, and reconnects whenever it is lost. */
export function createNotifications(options: Options) {
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
    const next = createClient(options)
    next.on('error', () => lose(next))
    next.on('end', () => lose(next))
    next.on('notification', ({ channel, payload }) => dispatch(channel, payload ?? ''))
    try {
      await next.connect()
      for (const channel of handlers.keys()) await next.query(`LISTEN ${next.escapeIdentifier(channel)}`)
    } catch (error) {
      logger.warn({ err: error, retryMs }, 'database notifications unavailable')
      await next.end().catch(() => undefined)
      if (!stopped) {
        // Notifications sent before the first connection were missed as well.
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
      logger.info('database notifications restored')
      for (const handler of restoredHandlers) handler()
    }
  }

  function dispatch(channel: string, payload: string): void {
    for (const handler of handlers.get(channel) ?? []) {
      try {
        handler(payload)
      } catch (error) {
        logger.error({ err: error, channel }, 'notification handler failed')
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
    logger.warn('database notifications lost')
    for (const handler of lostHandlers) handler()
    scheduleRetry()
  }

  function scheduleRetry(): void {
    retry = setTimeout(() => void open(), retryMs)
    retryMs = Math.min(retryMs * 2, longestRetryMs)
  }

  return {
    /** Subscribes to a channel. Call before `start`. */
    on(channel: NotificationChannel, handler: (payload: string) => void): void {
      handlers.set(channel, [...(handlers.get(channel) ?? []), handler])
    },
    /** Calls `handler` when the connection is lost: from then on notifications are missed. */
    onLost: (handler: () => void) => void lostHandlers.push(handler),
    /** Calls `handler` when the connection is restored, to read again what was missed. */
    onRestored: (handler: () => void) => void restoredHandlers.push(handler),
    /** Returns whether notifications arrive now. */
    isListening: () => client !== null,
    /** Connects; resolves once the first attempt has succeeded or failed. */
    start: open,
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(retry)
      clearInterval(heartbeat)
      const current = client
      client = null
      await current?.end().catch(() => undefined)
    },
  }
}

function createClient({ url, applicationName }: Options): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: `${applicationName} listener`,
    connectionTimeoutMillis: 5_000,
    query_timeout: heartbeatTimeoutMs,
    keepAlive: true,
  })
}

/** Notifies all processes when the transaction commits. */
export async function notify(db: Db, channel: NotificationChannel, payload: string): Promise<void> {
  await db.$queryRaw`SELECT pg_notify(${channel}, ${payload})::text`
}
