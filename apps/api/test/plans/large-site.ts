import pg from 'pg'
import type { TestApp } from '../test-app.ts'

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
      INSERT INTO memo (edition_id, position, title, content)
      SELECT overlay(lpad(to_hex(n % ${editions} + 1), 32, '0') placing '7' from 13)::uuid, n / ${editions} + 1,
        'Memo ' || n,
        '<p>' || repeat('Of the day and its weather, ' || md5(n::text) || '. ', 15) || 'quagga' || n % 500 || '</p>'
      FROM generate_series(0, ${memos - 1}) n`)
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
        timestamptz '2026-11-20Z', timestamptz '2026-11-20Z' - n * interval '10 minutes', timestamptz '2026-11-20Z'
      FROM generate_series(1, ${members}) n`,
      [appId],
    )
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
      SELECT memo.id, gen_random_uuid(), timestamptz '2026-11-20 16:00Z' - n * interval '30 minutes'
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
