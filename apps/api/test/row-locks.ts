import { expect, vi } from 'vitest'
import type { TestApp } from './test-app.ts'
import { waitOptions } from './wait-options.ts'

/** Changes rows in a transaction and commits once the call of `begin` waits for them. Returns its response. */
export async function overtake<T>(
  { context }: Pick<TestApp, 'context'>,
  { sql, values, begin }: { sql: string; values: unknown[]; begin: () => Promise<T> },
): Promise<T> {
  const { pool } = context.database
  const client = await pool.connect()
  let reply: Promise<T>
  try {
    await client.query('BEGIN')
    await client.query(sql, values)
    reply = begin()
    let isUnderWay = true
    const settle = () => {
      isUnderWay = false
    }
    reply.then(settle, settle)
    await vi.waitFor(async () => {
      if (!isUnderWay) return
      const { rows } = await pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      expect(rows).not.toHaveLength(0)
    }, waitOptions)
    if (!isUnderWay) throw new Error('The call was over before the rows were given free.')
    await client.query('COMMIT')
    client.release()
  } catch (error) {
    // Releases rows that are still locked.
    client.release(true)
    throw error
  }
  return await reply
}

/** Locks a member's row, starts each call once the previous one waits, then unlocks. Returns the responses. */
export async function queueUp(
  { context }: Pick<TestApp, 'context'>,
  memberId: string,
  calls: (() => Promise<unknown>)[],
): Promise<void> {
  const { pool } = context.database
  const client = await pool.connect()
  const replies: Promise<unknown>[] = []
  try {
    await client.query('BEGIN')
    await client.query('SELECT 1 FROM member WHERE id = $1 FOR UPDATE', [memberId])
    for (const call of calls) {
      replies.push(call())
      await vi.waitFor(async () => {
        const { rows } = await pool.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        expect(rows).toHaveLength(replies.length)
      }, waitOptions)
    }
  } finally {
    // Releases the locked row.
    client.release(true)
  }
  await Promise.all(replies)
}
