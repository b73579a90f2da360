import pg from 'pg'
import type { Db } from '../database.ts'
import { randomIds } from '../ids.ts'
import { type Logger, reasonOf } from '../logger.ts'
import { createNotificationSender, type NotificationSender } from './notification-sender.ts'

/** A channel between the processes. Postgres refuses payloads of more than 8,000 bytes. */
export type NotificationChannel = `tidings_${string}`

export type Notifications = ReturnType<typeof createNotifications>

type Options = {
  /** Where processes send notifications: the database of the pool. */
  url: string
  /** Where this process receives them: no pooler in transaction mode. */
  listenUrl: string
  logger: Logger
  applicationName: string
}

const heartbeatMs = 3_000
const heartbeatTimeoutMs = 4_000
const firstRetryMs = 100
const longestRetryMs = 2_000

const deafReason =
  'LISTEN succeeded, but no notification arrived. A pooler in transaction mode causes this: set DATABASE_LISTEN_URL to an address that reaches the same database without it.'

/**
 * Receives Postgres notifications on its own connection, and reconnects whenever it is lost. It counts as listening only
 * while its own notifications come back: an open connection alone proves nothing.
 */
export function createNotifications(options: Options) {
  const { logger } = options
  const sender = createNotificationSender({ ...options, timeoutMs: heartbeatTimeoutMs })
  const heartbeatChannel = `tidings_heartbeat_${randomIds.name()}`
  const handlers = new Map<string, ((payload: string) => void)[]>()
  const lostHandlers: (() => void)[] = []
  const restoredHandlers: (() => void)[] = []
  const log = createAttemptLog(logger)
  let client: pg.Client | null = null
  let heartbeat: NodeJS.Timeout | undefined
  let retry: NodeJS.Timeout | undefined
  let retryMs = firstRetryMs
  let stopped = false

  async function open(): Promise<void> {
    const next = createClient(options)
    next.on('error', () => lose(next, 'The connection was closed.'))
    next.on('end', () => lose(next, 'The connection was closed.'))
    next.on('notification', (notification) => dispatch(handlers, notification, logger))
    try {
      await next.connect()
      for (const channel of [...handlers.keys(), heartbeatChannel]) {
        await next.query(`LISTEN ${next.escapeIdentifier(channel)}`)
      }
      if (!(await hearsItself(next, sender, heartbeatChannel))) throw new Error(deafReason)
    } catch (error) {
      await next.end().catch(() => undefined)
      if (stopped) return
      log.failed(reasonOf(error))
      return scheduleRetry()
    }
    if (stopped) return await next.end()
    client = next
    retryMs = firstRetryMs
    scheduleHeartbeat(next)
    if (!log.restored()) return
    for (const handler of restoredHandlers) handler()
  }

  function scheduleHeartbeat(current: pg.Client): void {
    heartbeat = setTimeout(() => void beat(current), heartbeatMs)
    heartbeat.unref()
  }

  async function beat(current: pg.Client): Promise<void> {
    try {
      if (!(await hearsItself(current, sender, heartbeatChannel))) lose(current, deafReason)
    } catch (error) {
      lose(current, reasonOf(error))
    }
    if (client === current) scheduleHeartbeat(current)
  }

  function lose(current: pg.Client, reason: string): void {
    if (client !== current) return
    client = null
    clearTimeout(heartbeat)
    current.end().catch(() => undefined)
    if (stopped) return
    log.lost(reason)
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
    /** Returns whether notifications arrive, as of the last heartbeat: false within seven seconds of the first missed. */
    isListening: () => client !== null,
    /** Notifies all processes in one transaction, outside of any other. */
    sendAll: sender.sendAll,
    /** Connects; resolves once the first attempt has succeeded or failed. */
    start: open,
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(retry)
      clearTimeout(heartbeat)
      const current = client
      client = null
      await current?.end().catch(() => undefined)
      await sender.close()
    },
  }
}

/** Logs each change of state in one line, and counts the attempts between them. */
function createAttemptLog(logger: Logger) {
  /** The failed attempts since notifications last arrived; null while they do. */
  let failedAttempts: number | null = null
  return {
    lost(reason: string): void {
      failedAttempts = 0
      logger.warn({ reason }, 'database notifications lost')
    },
    failed(reason: string): void {
      if (failedAttempts === null) logger.warn({ reason }, 'database notifications unavailable')
      failedAttempts = (failedAttempts ?? 0) + 1
    },
    /** Returns whether notifications had been lost. */
    restored(): boolean {
      if (failedAttempts === null) return false
      logger.info({ failedAttempts }, 'database notifications restored')
      failedAttempts = null
      return true
    },
  }
}

function dispatch(
  handlers: ReadonlyMap<string, readonly ((payload: string) => void)[]>,
  { channel, payload }: pg.Notification,
  logger: Logger,
): void {
  for (const handler of handlers.get(channel) ?? []) {
    try {
      handler(payload ?? '')
    } catch (error) {
      logger.error({ err: error, channel }, 'notification handler failed')
    }
  }
}

/** Notifies this process through the database; returns whether that arrived at `client` in time. */
async function hearsItself(client: pg.Client, sender: NotificationSender, channel: string): Promise<boolean> {
  const token = randomIds.uuid()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const hear = (notification: pg.Notification) => {
    if (notification.channel === channel && notification.payload === token) resolve(true)
  }
  client.on('notification', hear)
  // The immediate runs after the read of bytes that came while this process was busy.
  const timeout = setTimeout(() => setImmediate(() => resolve(false)), heartbeatTimeoutMs)
  timeout.unref()
  try {
    // NOTE: on the listener's own connection it would come back even through a pooler in transaction mode.
    const sent = sender.send(channel, token).then(() => promise)
    return await Promise.race([promise, sent])
  } finally {
    clearTimeout(timeout)
    client.off('notification', hear)
  }
}

function createClient({ listenUrl, applicationName }: Options): pg.Client {
  return new pg.Client({
    connectionString: listenUrl,
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
