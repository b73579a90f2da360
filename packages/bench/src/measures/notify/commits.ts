import { connect } from '../../data/connect.ts'
import { steadyRate } from '../../load/steady-rate.ts'
import type { Lifetime } from '../../programs/lifetime.ts'
import { perSecond } from '../../results/figures.ts'
import { takePairs } from '../../results/pairs.ts'
import { pairPrinter, pairsRow } from '../../results/rows.ts'
import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'

const connections = 20
const minRatio = 2
const channel = 'tidings_bench'
const insert = 'INSERT INTO bench_commit (id) VALUES (gen_random_uuid())'
const notified = `WITH stored AS (${insert} RETURNING id) SELECT pg_notify('${channel}', id::text) FROM stored`

/**
 * Compares commits of one insert, whose notifications are sent at most every 200 ms, with commits that notify. Twenty
 * connections write and twenty listen; the database is as durable as a site's.
 */
export async function compareCommits(
  { databases, progress, quick }: Bench,
  lifetime: Lifetime,
): Promise<Row[]> {
  const databaseUrl = await (await databases()).week()
  const admin = await connect(lifetime, databaseUrl)
  await admin.query('CREATE TABLE IF NOT EXISTS bench_commit (id uuid)')
  // NOTE: the shared server runs without fsync, which hides what waits for the lock.
  await admin.query('ALTER SYSTEM SET fsync = on')
  await admin.query('SELECT pg_reload_conf()')
  const listeners = await Promise.all(
    Array.from({ length: connections }, () => connect(lifetime, databaseUrl)),
  )
  for (const listener of listeners) await listener.query(`LISTEN ${channel}`)
  const writers = await Promise.all(Array.from({ length: connections }, () => connect(lifetime, databaseUrl)))
  const pace = { atOnce: connections, leadSeconds: 0.5, seconds: quick ? 1 : 4 }
  const write = (sql: string) =>
    steadyRate(pace, async () => {
      const writer = writers.pop()
      if (writer === undefined) throw new Error('All writers are busy.')
      await writer.query(sql)
      writers.push(writer)
    })
  const coalesced = async () => {
    const timer = setInterval(() => void admin.query(`SELECT pg_notify('${channel}', '')`), 200)
    return await write(insert).finally(() => clearInterval(timer))
  }
  const pairs = await progress.step('Committing with and without notifications', () =>
    takePairs(
      quick ? 2 : 5,
      { ours: coalesced, other: () => write(notified) },
      pairPrinter(progress.say, perSecond, 'notified'),
    ),
  )
  await admin.query('ALTER SYSTEM SET fsync = off')
  await admin.query('SELECT pg_reload_conf()')
  for (const client of [...listeners, ...writers]) await client.end()
  return [
    pairsRow('Commits of 20 writers with 20 listeners, notified outside of the transaction', pairs, {
      text: perSecond,
      other: 'with NOTIFY in it',
      min: minRatio,
    }),
  ]
}
