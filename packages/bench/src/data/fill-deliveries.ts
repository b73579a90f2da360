import type pg from 'pg'

const runsSql = `
  WITH filled AS (
    INSERT INTO edition (date, slot, status, publish_at, published_at)
    SELECT '2031-01-01'::date + n, 'Old', 'published', now() + n * interval '1 minute', now()
    FROM generate_series(1, $1::int) n
    RETURNING id, date, publish_at
  )
  INSERT INTO delivery_run (edition_id, state, created_at, planned_at, send_after, started_at, finished_at)
  SELECT id, 'done', now(), now(), now(), now(), now() FROM filled ORDER BY date
  RETURNING id`
const deliveriesSql = `
  INSERT INTO delivery (run_id, member_id, method, state, recipient, attempts, claimed_by, claimed_at, sent_at,
    edition_version, reason, updated_at)
  SELECT $1, 'mem_' || lpad(n::text, 24, '0'), 'memo_email', CASE WHEN n % 50 = 0 THEN 'failed' ELSE 'sent' END::delivery_state,
    'reader' || n || '@readers.example', 1, '01900000-0000-7000-8000-000000000000', now(),
    CASE WHEN n % 50 <> 0 THEN now() + n * interval '1 ms' END, 1,
    CASE WHEN n % 50 = 0 THEN '550 5.1.1 no such mailbox' END, now()
  FROM generate_series(1, $2::int) n`
const rangeSql = `
  UPDATE delivery_run SET
    first_id = (SELECT id FROM delivery WHERE run_id = $1 ORDER BY id LIMIT 1),
    last_id = (SELECT id FROM delivery WHERE run_id = $1 ORDER BY id DESC LIMIT 1)
  WHERE id = $1`

/** Stores runs that were sent, each to as many members. Returns the key of the last edition. */
export async function fillDeliveries(
  database: pg.Client,
  { runs, members }: { runs: number; members: number },
): Promise<string> {
  const { rows } = await database.query<{ id: number }>(runsSql, [runs])
  for (const { id } of rows) await fillRun(database, id, members)
  await database.query('VACUUM ANALYZE')
  const last = await database.query<{ key: string }>(
    `SELECT to_char(date, 'MM-DD-YY') || '-' || slot AS key FROM edition WHERE slot = 'Old' ORDER BY date DESC LIMIT 1`,
  )
  return last.rows[0]?.key ?? ''
}

/** Stores the deliveries of a run that was sent to as many members. */
export async function fillRun(database: pg.Client, run: number, members: number): Promise<void> {
  await database.query(deliveriesSql, [run, members])
  await database.query(rangeSql, [run])
}
