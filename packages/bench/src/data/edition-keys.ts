import pg from 'pg'

/** Returns keys of editions spread evenly over all years of a database, in mixed order. */
export async function spreadEditions(databaseUrl: string, count: number): Promise<string[]> {
  const rows = await query(
    databaseUrl,
    `SELECT to_char(date, 'MM-DD-YY') || '-' || slot AS text
     FROM (SELECT *, row_number() OVER (ORDER BY date, slot) AS n, count(*) OVER () AS total FROM edition) edition
     WHERE total <= $1 OR n % (total / $1) = 0
     ORDER BY md5(id::text) LIMIT $1`,
    [count],
  )
  return rows
}

/** Returns the key of an edition with eight memos. */
export async function busiestEdition(databaseUrl: string): Promise<string> {
  const [key] = await query(
    databaseUrl,
    `SELECT to_char(date, 'MM-DD-YY') || '-' || slot AS text
     FROM edition JOIN memo ON memo.edition_id = edition.id
     GROUP BY edition.id ORDER BY count(*) DESC, date DESC LIMIT 1`,
  )
  if (key === undefined) throw new Error('The database has no editions.')
  return key
}

/** Returns ids of some memos. */
export async function someMemoIds(databaseUrl: string, count: number): Promise<string[]> {
  return await query(databaseUrl, 'SELECT id::text AS text FROM memo ORDER BY id LIMIT $1', [count])
}

async function query(databaseUrl: string, sql: string, values: unknown[] = []): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ text: string }>(sql, values)
    return rows.map(({ text }) => text)
  } finally {
    await client.end()
  }
}
