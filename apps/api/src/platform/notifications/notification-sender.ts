import pg from 'pg'

export type NotificationSender = ReturnType<typeof createNotificationSender>

/** Sends notifications outside of transactions, on a connection of its own: a busy pool does not delay them. */
export function createNotificationSender(options: {
  url: string
  applicationName: string
  timeoutMs: number
}) {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: `${options.applicationName} notifier`,
    max: 1,
    connectionTimeoutMillis: options.timeoutMs,
    query_timeout: options.timeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  })
  // The next notification opens another connection, and reports when it can't.
  pool.on('error', () => undefined)

  return {
    /** Notifies all processes now; rejects when Postgres is unavailable. */
    async send(channel: string, payload: string): Promise<void> {
      await pool.query('SELECT pg_notify($1, $2)', [channel, payload])
    },
    /** Notifies all processes in one transaction. */
    async sendAll(channel: string, payloads: readonly string[]): Promise<void> {
      await pool.query('SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload', [
        channel,
        payloads,
      ])
    },
    /** Closes the connection. */
    async close(): Promise<void> {
      if (!pool.ended) await pool.end()
    },
  }
}
