import pg from 'pg'
import { siteUnderTest } from '../site-under-test.config.ts'

/** A member as the desk lists them. Times are those of the server. */
type TestMember = { id: string; name: string; email: string; suppressed?: string }

/** A delivery to a member, with the reply of the server. */
type TestDelivery = { member: TestMember; state: 'sent' | 'failed' | 'suppressed'; reason: string | null }

async function query(text: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: siteUnderTest.databaseUrl() })
  await client.connect()
  await client.query(text, values)
  await client.end()
}

/** Stores members who signed up long ago, with a plan, and the suppression of their address. */
export async function storeMembers(members: readonly TestMember[]): Promise<void> {
  for (const { id, name, email, suppressed } of members) {
    await query(
      `INSERT INTO member (id, app_id, email, verified, custom_fields, terms_accepted_at, created_at)
      SELECT $1, id, $2, true, jsonb_build_object('name', $3::text, 'getmemomethodbyemail', true), now(), '2025-03-02'
      FROM membership_app WHERE public_key = $4 ON CONFLICT (id) DO NOTHING`,
      [id, email, name, siteUnderTest.publicKey()],
    )
    if (suppressed === undefined) continue
    await query(
      `INSERT INTO suppression (address, kind, reason, bounces, suppressed_at) VALUES ($1, 'bounce', $2, 3, now())
      ON CONFLICT (address) DO UPDATE SET suppressed_at = now()`,
      [email, suppressed],
    )
  }
}

/** Stores what was delivered of an edition, which must exist. */
export async function storeDeliveries(key: string, deliveries: readonly TestDelivery[]): Promise<void> {
  await query(
    `INSERT INTO delivery_run (edition_id, state, created_at, planned_at, send_after, started_at, finished_at)
    SELECT id, 'done', now(), now(), now(), now(), now() FROM edition
    WHERE to_char(date, 'MM-DD-YY-') || slot = $1 ON CONFLICT DO NOTHING`,
    [key],
  )
  for (const { member, state, reason } of deliveries) {
    await query(
      `INSERT INTO delivery (run_id, member_id, method, state, recipient, attempts, sent_at, reason, updated_at)
      SELECT run.id, $2, 'memo_email', $3::delivery_state, $4, 1,
        CASE WHEN $3 = 'sent' THEN now() END, $5, now()
      FROM delivery_run run JOIN edition ON edition.id = run.edition_id
      WHERE to_char(edition.date, 'MM-DD-YY-') || edition.slot = $1 ON CONFLICT DO NOTHING`,
      [key, member.id, state, member.email, reason],
    )
  }
}
