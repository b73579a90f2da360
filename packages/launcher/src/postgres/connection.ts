import pg from 'pg'

/** Waits up to a minute until a running server accepts connections. Rejects at once when it rejects the password. */
export async function waitUntilReady(url: string, cluster: string) {
  const deadline = Date.now() + 60_000
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      await client.end().catch(() => {})
      const refused = error instanceof Error && 'code' in error && error.code === '28P01'
      if (refused || Date.now() > deadline) {
        throw new Error(
          `The PostgreSQL server on ${cluster} rejects connections (${error instanceof Error ? error.message : error}). ` +
            'Stop that server and start again.',
        )
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** Creates the database unless it exists. */
export async function createDatabase(adminUrl: string, name: string) {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${name}`)
  } catch (error) {
    // 42P04 and 23505: another process on the same data has just created it.
    if (!(error instanceof Error && 'code' in error && ['42P04', '23505'].includes(String(error.code))))
      throw error
  } finally {
    await client.end()
  }
}
