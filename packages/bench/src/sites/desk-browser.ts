import { createHash, randomBytes } from 'node:crypto'
import type { Progress } from '@tidings/launcher/progress'
import type pg from 'pg'
import type { BrowserContext } from 'playwright-core'
import { openFreshBrowser } from '../probes/browser.ts'
import type { Lifetime } from '../programs/lifetime.ts'

const ownerSql = `
  WITH person AS (
    INSERT INTO person (email, name, roles) VALUES ('owner@bench.example', 'Olga Owner', '{owner}')
    ON CONFLICT (email) DO UPDATE SET name = excluded.name RETURNING id
  )
  INSERT INTO desk_session (person_id, secret_hash, device, created_at, last_used_at, proved_at)
  SELECT id, $1, 'Bench', now(), now(), now() FROM person`

/** Opens a browser whose person is signed in at the desk as an owner. */
export async function openDeskBrowser(
  lifetime: Lifetime,
  { progress, url, database }: { progress: Progress; url: string; database: pg.Client },
): Promise<BrowserContext> {
  const secret = randomBytes(32).toString('base64url')
  await database.query(ownerSql, [createHash('sha256').update(secret).digest('hex')])
  return await openFreshBrowser(lifetime, { progress, url, cookie: `tidings_desk=${secret}`, screen: 'desk' })
}
