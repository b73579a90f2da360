import { runMigrations } from '@tidings/launcher/migrations'
import pg from 'pg'

/** Creates a migrated database beside another one. Returns its URL. */
export async function createMigratedDatabase(besideUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: besideUrl })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0`)
  } finally {
    await client.end()
  }
  const url = new URL(besideUrl)
  url.pathname = `/${name}`
  await runMigrations(url.href)
  return url.href
}
