import pg from 'pg'
import type { Lifetime } from '../programs/lifetime.ts'

/** Opens a connection that lasts until the end of `lifetime`. */
export async function connect(lifetime: Lifetime, databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  // The connection is lost when everything ends early.
  client.on('error', () => {})
  await client.connect()
  lifetime.atEnd(() => client.end())
  return client
}
