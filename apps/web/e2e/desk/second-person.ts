import { createHash } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import pg from 'pg'
import { siteUnderTest } from '../site-under-test.config.ts'

/** Opens a page of another person, who is signed in at the desk as an editor. */
export async function secondPerson(browser: Browser, name: string): Promise<Page> {
  const email = `${name.replaceAll(' ', '.')}@example.com`.toLowerCase()
  const value = createHash('sha256').update(`session of ${email}`).digest('base64url')
  const client = new pg.Client({ connectionString: siteUnderTest.databaseUrl() })
  await client.connect()
  await client.query(
    `INSERT INTO person (email, name, roles) VALUES ($1, $2, $3)
    ON CONFLICT (email) DO UPDATE SET roles = EXCLUDED.roles, removed_at = NULL`,
    [email, name, ['editor']],
  )
  await client.query(
    `INSERT INTO desk_session (person_id, secret_hash, device, created_at, last_used_at, proved_at)
    SELECT id, $1, 'Browser test', now(), now(), now() FROM person WHERE email = $2
    ON CONFLICT (secret_hash) DO UPDATE SET created_at = now(), last_used_at = now()`,
    [createHash('sha256').update(value).digest('hex'), email],
  )
  await client.end()
  const context = await browser.newContext({ baseURL: siteUnderTest.url() })
  const url = new URL('/desk', siteUnderTest.url()).href
  await context.addCookies([{ name: 'tidings_desk', value, url, sameSite: 'Strict', httpOnly: true }])
  return await context.newPage()
}
