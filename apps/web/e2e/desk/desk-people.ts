import { createHash, generateKeyPairSync } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import pg from 'pg'
import { siteUnderTest } from '../site-under-test.config.ts'
import { authenticatorOptions } from './desk-page.ts'

type Role = 'owner' | 'editor' | 'moderator' | 'writer'

/** A person of a test, with the context in which they are signed in. */
export type DeskPerson = { id: string; name: string }

/** Creates a person with a session in a browser context. The name is the person’s alone. */
export async function signInAs(
  context: BrowserContext,
  name: string,
  roles: readonly Role[] = ['editor'],
): Promise<DeskPerson> {
  const secret = createHash('sha256').update(`session of ${name}`).digest('base64url')
  const email = `${name}@desk.example`.toLowerCase().replaceAll(' ', '.')
  const [row] = await query<{ id: string }>(
    `WITH person AS (
      INSERT INTO person (email, name, roles) VALUES ($1, $2, $3)
      ON CONFLICT (email) DO UPDATE SET roles = excluded.roles RETURNING id
    )
    INSERT INTO desk_session (person_id, secret_hash, device, created_at, last_used_at, proved_at)
    SELECT id, $4, 'Browser test', now(), now(), now() FROM person
    ON CONFLICT (secret_hash) DO UPDATE SET created_at = now(), last_used_at = now() RETURNING person_id::text AS id`,
    [email, name, roles, createHash('sha256').update(secret).digest('hex')],
  )
  const url = new URL('/desk', siteUnderTest.url()).href
  await context.addCookies([{ name: 'tidings_desk', value: secret, url, sameSite: 'Strict', httpOnly: true }])
  return { id: row?.id ?? '', name }
}

/** Gives a person other roles. */
export async function changeRoles({ id }: DeskPerson, roles: readonly Role[]): Promise<void> {
  await query('UPDATE person SET roles = $2 WHERE id = $1', [id, roles])
}

/** Ends the sessions of a person. */
export async function endSessions({ id }: DeskPerson): Promise<void> {
  await query('DELETE FROM desk_session WHERE person_id = $1', [id])
}

/** Gives a person a passkey, which is on an authenticator of the page. */
export async function addPasskey(page: Page, { id }: DeskPerson): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // A COSE key in CBOR: EC2, ES256, P-256, then x and y.
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const credentialId = createHash('sha256').update(`passkey of ${id}`).digest()
  await query(
    `INSERT INTO passkey (person_id, credential_id, public_key, counter, transports, name, created_at)
    VALUES ($1, $2, $3, 0, '{internal}', 'Browser test', now())
    ON CONFLICT (credential_id) DO UPDATE SET public_key = excluded.public_key, counter = 0`,
    [id, credentialId.toString('base64url'), cose],
  )
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: authenticatorOptions,
  })
  await session.send('WebAuthn.addCredential', {
    authenticatorId,
    credential: {
      credentialId: credentialId.toString('base64'),
      isResidentCredential: true,
      rpId: new URL(page.url()).hostname,
      privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
      userHandle: Buffer.from(id).toString('base64'),
      signCount: 1,
    },
  })
}

/** Runs SQL for what no caller of the API can do. */
export async function query<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: siteUnderTest.databaseUrl() })
  await client.connect()
  try {
    return (await client.query<Row>(sql, values)).rows
  } finally {
    await client.end()
  }
}
