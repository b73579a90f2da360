import pg from 'pg'
import { makeParagraphs } from './paragraphs.ts'

/** The content of a filled database. */
export type Filled = { editions: number; memos: number }

const slots = [
  ['10AM', '18 hours'],
  ['3PM', '23 hours'],
  ['8PM', '28 hours'],
]

// Three editions in ten have eight memos, the others seven: ten years of them make 80,000 memos.
const editionSql = `
  INSERT INTO edition (date, slot, status, publish_at, published_at)
  SELECT day::date, slot, 'published', day + time::interval, day + time::interval
  FROM generate_series($1::timestamptz, $2::timestamptz, interval '1 day') day
  CROSS JOIN unnest($3::text[], $4::text[]) AS slots (slot, time)`
const memoSql = `
  INSERT INTO memo (edition_id, position, title, content, source)
  SELECT edition.id, position, 'Memo ' || position || ' of edition ' || number,
    '<p>' || array_to_string(ARRAY(
      SELECT ($1::text[])[1 + (number * 31 + position * 7 + part * 13) % cardinality($1::text[])]
      FROM generate_series(1, 4) part
    ), '</p><p>') || '</p>',
    'https://news.example/' || number || '/' || position
  FROM (SELECT id, row_number() OVER (ORDER BY date, publish_at) AS number FROM edition) edition
  CROSS JOIN LATERAL generate_series(1, 7 + (number % 10 < 3)::int) position`

/** Fills an empty database with three published editions a day of about 23 kB each. Days are `YYYY-MM-DD`. */
export async function fillEditions(databaseUrl: string, days: { from: string; to: string }): Promise<Filled> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query("SET TIME ZONE 'UTC'")
    const editions = await client.query(editionSql, [
      days.from,
      days.to,
      slots.map(([label]) => label),
      slots.map(([, time]) => time),
    ])
    const memos = await client.query(memoSql, [makeParagraphs(200)])
    // A database in use has statistics.
    await client.query('VACUUM ANALYZE')
    return { editions: editions.rowCount ?? 0, memos: memos.rowCount ?? 0 }
  } finally {
    await client.end()
  }
}
