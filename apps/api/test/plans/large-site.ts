import pg from 'pg'
import type { TestApp } from '../test-app.ts'

/** The person who saved a few of the memos. */
export const person = '00000000-0000-7007-8000-000000000007'

/** The fields of a memo as working copies have them. */
const memoFields = `jsonb_build_object('title', memo.title, 'memo_content', memo.content, 'source', '', 'media', '',
  'media_title', '', 'media_alt', null, 'media_focus', '{"x":0.5,"y":0.5}'::jsonb, 'media_text', '', 'language', '')`

/** The numbers of rows of a site. */
export type SiteSize = { editions: number; memos: number; comments: number; members: number; entries: number }

/** Fills a site's database with generated rows. Words such as `quagga7` occur in a few texts only. */
export async function fillLargeSite({ context }: TestApp, size: SiteSize): Promise<void> {
  const { appId } = context.config.site
  const { editions, memos, comments, members, entries } = size
  const client = new pg.Client({ connectionString: context.config.database.url })
  await client.connect()
  try {
    // Without checks of foreign keys and triggers, which would take most of the time.
    await client.query('BEGIN; SET LOCAL session_replication_role = replica')
    await client.query(`
      INSERT INTO edition (id, date, slot, status, publish_at, published_at)
      SELECT overlay(lpad(to_hex(n), 32, '0') placing '7' from 13)::uuid, date '2026-11-20' - n / 3,
        (ARRAY['10AM', '3PM', '8PM'])[n % 3 + 1],
        CASE WHEN n % 50 = 0 THEN 'draft' ELSE 'published' END::edition_status,
        timestamptz '2026-11-20 18:00Z' - n / 3 * interval '1 day',
        CASE WHEN n % 50 <> 0 THEN timestamptz '2026-11-20 18:00Z' END
      FROM generate_series(1, ${editions}) n`)
    await client.query(`
      INSERT INTO memo (edition_id, position, title, content, saved_by_id)
      SELECT overlay(lpad(to_hex(n % ${editions} + 1), 32, '0') placing '7' from 13)::uuid, n / ${editions} + 1,
        'Memo ' || n,
        '<p>' || repeat('Of the day and its weather, ' || md5(n::text) || '. ', 30) || 'quagga' || n % 500
          || CASE WHEN n % 500 = 7 THEN ' 东京的天气 EU' ELSE '' END || '</p>',
        CASE WHEN n % 500 = 7 THEN '${person}'::uuid END
      FROM generate_series(0, ${memos - 1}) n`)
    await client.query(`
      INSERT INTO memo_folded (memo_id, text) SELECT id, desk_text(title, content, '') FROM memo`)
    await client.query(`
      INSERT INTO working_copy (id, kind, edition_id, base_version, version, fields, changed, saved_by_id)
      SELECT memo.id, 'memo', edition_id, 1, 2, ${memoFields}, '{"title":2}', saved_by_id
      FROM memo WHERE memo.position = 1 LIMIT 1000`)
    await client.query(`
      INSERT INTO deleted_memo (memo_id, edition_key, position, was_public, fields, version, created_at, deleted_at,
        deleted_by_id)
      SELECT gen_random_uuid(), to_char(edition.date, 'MM-DD-YY-') || edition.slot, 1, true, ${memoFields}, 1, now(),
        timestamptz '2026-11-20Z' - memo.position * interval '1 minute', memo.saved_by_id
      FROM memo JOIN edition ON edition.id = memo.edition_id LIMIT 2000`)
    await client.query(`
      INSERT INTO article (title, content, status)
      SELECT 'Article ' || n, '<p>' || repeat(md5(n::text) || ' ', 200) || 'okapi' || n || '</p>', 'draft'
      FROM generate_series(1, 500) n`)
    await client.query(`
      INSERT INTO working_copy (id, kind, base_version, version, fields, saved_by_id)
      SELECT id, 'article', 1, 2, jsonb_build_object('title', title, 'memo_content', content, 'media_title', ''), uuidv7()
      FROM article`)
    await client.query(
      `INSERT INTO member (id, app_id, email, verified, custom_fields, terms_accepted_at, created_at, updated_at)
      SELECT 'mem_' || lpad(n::text, 24, '0'), $1, 'm' || n || '@example.com', true,
        jsonb_build_object('name', 'Name' || n || ' ' || md5(n::text)),
        timestamptz '2026-11-20Z', timestamptz '2026-11-20Z' - n * interval '1 year' / ${members}, timestamptz '2026-11-20Z'
      FROM generate_series(1, ${members}) n`,
      [appId],
    )
    await fillPlansAndDeliveries(client)
    await client.query(
      `INSERT INTO comment_channel (app_id, key) SELECT $1, 'page ' || n FROM generate_series(1, 50) n`,
      [appId],
    )
    for (const [table, parents, parentKey, id] of [
      ['comment_post', 'comment_channel', 'channel_id', 'post'],
      ['comment_thread', 'comment_post', 'post_id', 'thread'],
    ] as const) {
      await client.query(`
        INSERT INTO ${table} (id, ${parentKey}, member_id, content, hidden_at, created_at)
        SELECT 'cmt_${id}' || n, parents.ids[n % cardinality(parents.ids) + 1], 'mem_' || lpad((n % ${members} + 1)::text, 24, '0'),
          repeat(md5(n::text) || ' ', 5) || 'gnu' || n % 400,
          CASE WHEN n % 100 = 0 THEN timestamptz '2026-11-20Z' END,
          timestamptz '2026-11-20 16:00Z' - (${comments / 2} - n) * interval '1 hour'
        FROM generate_series(1, ${comments / 2}) n, (SELECT array_agg(id) AS ids FROM ${parents}) parents`)
    }
    await client.query(`
      INSERT INTO comment_report (post_id, thread_id, member_id, reason, created_at, ended_at)
      SELECT CASE WHEN n % 2 = 0 THEN 'cmt_post' || n END, CASE WHEN n % 2 = 1 THEN 'cmt_thread' || n END, 'mem_' || lpad(n::text, 24, '0'), 'advertising', timestamptz '2026-11-20Z',
        CASE WHEN n > 20 THEN timestamptz '2026-11-20Z' END
      FROM generate_series(1, 2000) n`)
    await client.query(`
      INSERT INTO memo_like (memo_id, reader_id, created_at)
      SELECT memo.id, gen_random_uuid(), timestamptz '2026-11-20 16:00Z' - n * interval '150 days' / ${2 * members}
      FROM generate_series(1, ${2 * members}) n JOIN (SELECT id, row_number() OVER () AS row FROM memo) memo
        ON memo.row = n % ${memos} + 1`)
    await client.query(`
      INSERT INTO audit_entry (id, at, action, subject, memo_id)
      SELECT overlay(overlay(lpad(to_hex(extract(epoch FROM at)::bigint * 1000), 12, '0') || lpad(to_hex(n), 20, '0')
          placing '7' from 13) placing '8' from 17)::uuid,
        at, 'memo.change', 'edition ' || n % 3000, overlay(overlay(lpad(to_hex(n % 1000), 32, '0') placing '7' from 13) placing '8' from 17)::uuid
      FROM (
        SELECT n, timestamptz '2026-11-20 16:00Z' - (${entries} - n) * interval '30 seconds' AS at
        FROM generate_series(1, ${entries}) n
      ) entry`)
    await client.query('COMMIT')
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}

/** Gives each member a plan, and each published edition its deliveries. */
async function fillPlansAndDeliveries(client: pg.Client): Promise<void> {
  await client.query(`
    INSERT INTO plan_connection (id, member_id, plan_id, type, status, active, created_at)
    SELECT 'con_' || right(id, 24), id, 'pln_' || right(id, 1), 'FREE', 'ACTIVE', id NOT LIKE '%7', created_at FROM member`)
  await client.query(`
    INSERT INTO delivery_run (edition_id, state, created_at, planned_at, send_after, started_at, finished_at)
    SELECT id, 'done', publish_at, publish_at, publish_at, publish_at, publish_at FROM edition
    WHERE status = 'published'`)
  await client.query(`
    INSERT INTO delivery_count (run_id, method, state, reason, backend, count)
    SELECT run.id, 'memo_email', counted.state::delivery_state, counted.reason, 0, counted.count
    FROM delivery_run run,
      (VALUES ('sent', '', 9000), ('failed', 'No such mailbox', 20), ('bounced', '', 2)) counted (state, reason, count)`)
}
