import pg from 'pg'
import type { z } from 'zod'

/** Works on a connection of its own, which ends afterwards. It has no limits of time, because it copies whole tables. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tidings backup',
    connectionTimeoutMillis: 10_000,
  })
  // A lost connection also rejects the query that is running.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('SET statement_timeout = 0')
    await client.query('SET idle_in_transaction_session_timeout = 0')
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs a query and parses its rows. */
export async function readRows<Row>(
  client: pg.Client,
  schema: z.ZodType<Row>,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const { rows } = await client.query(sql, values)
  return schema.array().parse(rows)
}

/** Returns the URL of another database of the same server. */
export function besideUrl(url: string, database: string): string {
  const beside = new URL(url)
  beside.pathname = `/${encodeURIComponent(database)}`
  return beside.href
}

export function databaseNameOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1))
}
