import pg from 'pg'
import { siteUnderTest } from '../site-under-test.config.ts'

/** Expires the codes that were sent to an address, as if their time had passed. */
export async function expireCodes(address: string): Promise<void> {
  const client = new pg.Client({ connectionString: siteUnderTest.databaseUrl() })
  await client.connect()
  try {
    const expire = 'UPDATE one_time_code SET expires_at = created_at WHERE email = $1 AND used_at IS NULL'
    const { rowCount } = await client.query(expire, [address])
    if (rowCount === 0) throw new Error(`There is no unused code for ${address}`)
  } finally {
    await client.end()
  }
}
