import type pg from 'pg'
import { makeProse } from './paragraphs.ts'

const texts = 200

const articleSql = `
  INSERT INTO article (title, content, status, published_at, updated_at)
  SELECT 'Article ' || n, '<p>' || text || '</p>', 'published', now() - n * interval '7 hours', now() - n * interval '7 hours'
  FROM unnest($1::text[]) WITH ORDINALITY prose (text, n)`
const likeSql = `
  INSERT INTO memo_like (memo_id, reader_id, created_at)
  SELECT memo.id, gen_random_uuid(), edition.publish_at + n * interval '7 minutes'
  FROM edition JOIN memo ON memo.edition_id = edition.id CROSS JOIN generate_series(1, $1::int) n
  WHERE edition.status = 'published' AND n <= $1::int - memo.position`
const likeCountSql = `
  UPDATE memo SET like_count = liked.count
  FROM (SELECT memo_id, count(*)::int AS count FROM memo_like GROUP BY memo_id) liked WHERE memo.id = liked.memo_id`
const suppressionSql = `
  INSERT INTO suppression (address, kind, reason, bounces, suppressed_at)
  SELECT 'reader' || n * 20 || '@readers.example', 'bounce', '550 5.1.1 no such mailbox', 1, now() - n * interval '1 hour'
  FROM generate_series(1, $1::int) n`
// Without ids of their own the rows of one statement still have increasing ones.
const logSql = `
  INSERT INTO audit_entry (at, action, subject, details)
  SELECT now() - ($1::int - n) * interval '5 minutes', 'edition.schedule', to_char(date, 'MM-DD-YY-') || slot, '{}'
  FROM generate_series(1, $1::int) n
  JOIN (SELECT date, slot, row_number() OVER (ORDER BY date, publish_at) AS place FROM edition) edition
    ON place = 1 + n * 300 / ($1::int + 1)
  ORDER BY n`
const versionSql = `
  INSERT INTO text_version (text_id, kind, fields, started_at, ended_at, saved_by)
  SELECT memo.id, 'session', jsonb_build_object('title', 'Draft memo 1', 'content', '<p>' || text || '</p>'),
    now() - (201 - n) * interval '1 hour', now() - (201 - n) * interval '1 hour', 'Olga Owner'
  FROM memo, unnest($1::text[]) WITH ORDINALITY prose (text, n) WHERE memo.title = 'Draft memo 1' ORDER BY n`

/** The size of what happened at a desk. */
export type HistorySize = { likesOfFirst: number; suppressions: number; entries: number }

/** Adds 200 articles, 200 versions of the first draft memo, likes, suppressions and entries of the log to a filled desk. */
export async function fillDeskHistory(
  database: pg.Client,
  { likesOfFirst, suppressions, entries }: HistorySize,
): Promise<void> {
  const prose = makeProse(texts)
  await database.query(articleSql, [prose])
  await database.query(likeSql, [likesOfFirst])
  await database.query('ALTER TABLE memo DISABLE TRIGGER USER')
  await database.query(likeCountSql)
  await database.query('ALTER TABLE memo ENABLE TRIGGER USER')
  await database.query(suppressionSql, [suppressions])
  await database.query(logSql, [entries])
  await database.query(versionSql, [prose])
}
