import pg from 'pg'
import { makeParagraphs, makeProse } from './paragraphs.ts'

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

const variedTexts = 8_000
const variedMemoSql = `
  INSERT INTO memo (edition_id, position, title, content)
  SELECT edition.id, position, array_to_string((string_to_array(first.text, ' '))[1:6], ' '),
    '<p>' || first.text || '</p><p>' || second.text || '</p>'
  FROM (SELECT id, row_number() OVER (ORDER BY date, publish_at) AS number FROM edition) edition
  CROSS JOIN LATERAL generate_series(1, 7 + (number % 10 < 3)::int) position
  JOIN texts first ON first.n = 1 + (number * 31 + position * 977) % $1
  JOIN texts second ON second.n = 1 + (number * 71 + position * 2013) % $1`

/** Fills an empty database with three published editions a day of about 23 kB each. Days are `YYYY-MM-DD`. */
export async function fillEditions(databaseUrl: string, days: { from: string; to: string }): Promise<Filled> {
  return await fill(databaseUrl, days, (client) => client.query(memoSql, [makeParagraphs(200)]))
}

/** Fills an empty database alike, with memos of about 1.5 kB in the words of a newspaper, and indexes them. */
export async function fillSearchable(
  databaseUrl: string,
  days: { from: string; to: string },
): Promise<Filled> {
  return await fill(databaseUrl, days, async (client) => {
    await client.query(
      'CREATE TEMPORARY TABLE texts AS SELECT * FROM unnest($1::text[]) WITH ORDINALITY t (text, n)',
      [makeProse(variedTexts)],
    )
    const memos = await client.query(variedMemoSql, [variedTexts])
    // Twice as fast as an index that each memo changes.
    await client.query('DROP INDEX memo_search_words_idx')
    await client.query('SELECT index_memos(ARRAY(SELECT id FROM memo))')
    await client.query('CREATE INDEX memo_search_words_idx ON memo_search USING gin (words)')
    return memos
  })
}

async function fill(
  databaseUrl: string,
  days: { from: string; to: string },
  addMemos: (client: pg.Client) => Promise<pg.QueryResult>,
): Promise<Filled> {
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
    // Indexing takes a minute, and only the search reads the index.
    await client.query('ALTER TABLE memo DISABLE TRIGGER memo_search_memo')
    const memos = await addMemos(client)
    await client.query('ALTER TABLE memo ENABLE TRIGGER memo_search_memo')
    // A database in use has statistics.
    await client.query('VACUUM ANALYZE')
    return { editions: editions.rowCount ?? 0, memos: memos.rowCount ?? 0 }
  } finally {
    await client.end()
  }
}
