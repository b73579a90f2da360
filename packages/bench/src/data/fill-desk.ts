import type pg from 'pg'
import { makeProse } from './paragraphs.ts'

const texts = 400

// 93 days of three editions beside the seven that every database has.
const editionSql = `
  INSERT INTO edition (date, slot, status, publish_at, published_at)
  SELECT day::date, slot, 'published', day + time::interval, day + time::interval
  FROM generate_series('2026-08-13'::timestamptz, '2026-11-13'::timestamptz, interval '1 day') day
  CROSS JOIN (VALUES ('10AM', '18 hours'), ('3PM', '23 hours'), ('8PM', '28 hours')) slots (slot, time)`
const memoSql = `
  INSERT INTO memo (edition_id, position, title, content, is_ready)
  SELECT edition.id, place, array_to_string((string_to_array(text, ' '))[1:7], ' '), '<p>' || text || '</p>', true
  FROM (
    SELECT id, date, row_number() OVER (ORDER BY date, publish_at) AS number,
      (SELECT count(*) FROM memo WHERE edition_id = edition.id) AS count
    FROM edition
  ) edition
  CROSS JOIN LATERAL generate_series(edition.count + 1, 10) place
  JOIN unnest($1::text[]) WITH ORDINALITY prose (text, n) ON n = 1 + (number * 31 + place * 97) % $2`
const memberSql = `
  INSERT INTO member (id, app_id, email, verified, custom_fields, last_login_at, terms_accepted_at, terms_origin, created_at,
    updated_at)
  SELECT 'mem_' || lpad(n::text, 24, '0'), app.id, 'reader' || n || '@readers.example', true,
    jsonb_build_object('name', 'Reader ' || n, 'getmemomethodbyemail', true), now(), now(), 'https://news.example',
    now() - n * interval '20 minutes', now()
  FROM membership_app app, generate_series(1, $1::int) n`
const channelSql = `
  INSERT INTO comment_channel (app_id, key)
  SELECT app.id, 'edition:' || to_char(date, 'MM-DD-YY-') || slot
  FROM membership_app app, (SELECT * FROM edition ORDER BY date DESC, publish_at DESC LIMIT 50) edition`
const postSql = `
  INSERT INTO comment_post (id, channel_id, member_id, content, created_at)
  SELECT 'post_' || lpad(n::text, 20, '0'), channel.id, 'mem_' || lpad((1 + n * 7 % $2)::text, 24, '0'),
    'What reader ' || n || ' thinks of it: ' || text, now() - ($1 - n) * interval '3 minutes'
  FROM generate_series(1, $1::int) n
  JOIN (SELECT id, row_number() OVER (ORDER BY key) AS place FROM comment_channel) channel ON place = 1 + n % 50
  JOIN unnest($3::text[]) WITH ORDINALITY prose (text, number) ON number = 1 + n % $4`
const reportSql = `
  INSERT INTO comment_report (post_id, member_id, reason, created_at)
  SELECT id, 'mem_' || lpad('1', 24, '0'), 'advertising', now()
  FROM comment_post WHERE right(id, 1) = '0'`
const runSql = `
  WITH chosen AS (
    SELECT id, row_number() OVER (ORDER BY date DESC, publish_at DESC) AS place FROM edition
    WHERE status = 'published' ORDER BY date DESC, publish_at DESC LIMIT $1
  )
  INSERT INTO delivery_run (edition_id, state, created_at, planned_at, send_after, started_at, finished_at)
  SELECT id, 'done', now(), now(), now(), now(), now() FROM chosen ORDER BY place RETURNING id`
const draftSql = `
  WITH draft AS (
    INSERT INTO edition (date, slot, status, publish_at)
    VALUES ('2026-12-24', '10AM', 'draft', '2026-12-24T18:00:00Z') RETURNING id
  )
  INSERT INTO memo (edition_id, position, title, content)
  SELECT draft.id, n, 'Draft memo ' || n, '<p>' || text || '</p>'
  FROM draft, unnest($1::text[]) WITH ORDINALITY prose (text, n)`

/** The size of a desk. */
export type DeskSize = { members: number; comments: number; runs: number }

/** Fills a database of one week to 300 editions of ten memos, with members, comments and ended runs of deliveries. Returns these runs. */
export async function fillDesk(
  database: pg.Client,
  { members, comments, runs }: DeskSize,
): Promise<number[]> {
  const prose = makeProse(texts)
  await database.query("SET TIME ZONE 'UTC'")
  await database.query(editionSql)
  await database.query('ALTER TABLE memo DISABLE TRIGGER memo_search_memo')
  await database.query(memoSql, [prose, texts])
  await database.query(draftSql, [prose.slice(0, 6)])
  await database.query('ALTER TABLE memo ENABLE TRIGGER memo_search_memo')
  await database.query('SELECT index_memos(ARRAY(SELECT id FROM memo))')
  await database.query(memberSql, [members])
  await database.query(channelSql)
  await database.query(postSql, [comments, members, prose.map((text) => text.slice(0, 140)), texts])
  await database.query(reportSql)
  const { rows } = await database.query<{ id: number }>(runSql, [runs])
  return rows.map(({ id }) => id)
}
