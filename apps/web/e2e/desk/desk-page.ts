import { createHash } from 'node:crypto'
import type { CDPSession, Page } from '@playwright/test'
import pg from 'pg'
import { test as base, expect } from '../reader.ts'
import { siteUnderTest } from '../site-under-test.config.ts'

/** The seeded person, who has every role. */
export const owner = 'owner@tidings.example'

/** An authenticator that verifies the person, as a phone or laptop has one. */
export const authenticatorOptions = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

/** Gives the browser an authenticator that verifies the person, as a phone or laptop has one. */
export async function addAuthenticator(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: authenticatorOptions,
  })
  return session
}

/** Returns the address of a link to the desk in a mail's text. */
export function linkIn(text: string): string {
  const link = /\bhttps?:\/\/\S+\/desk\/\S+/.exec(text)?.[0]
  if (link === undefined) throw new Error(`There is no link in: ${text}`)
  return link
}

type Fixtures = {
  /** A page of the owner, who is signed in at the desk. */
  desk: Page
}

type WorkerFixtures = { deskSession: { name: string; value: string } }

/** A test at the desk. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  // Links by email are limited, and each test needs a session.
  deskSession: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
    async ({}, provide, { workerIndex }) => {
      const value = createHash('sha256').update(`session of worker ${workerIndex}`).digest('base64url')
      const client = new pg.Client({ connectionString: siteUnderTest.databaseUrl() })
      await client.connect()
      await client.query(
        `INSERT INTO desk_session (person_id, secret_hash, device, created_at, last_used_at, proved_at)
        SELECT id, $1, 'Browser test', now(), now(), now() FROM person WHERE email = $2
        ON CONFLICT (secret_hash) DO UPDATE SET created_at = now(), last_used_at = now()`,
        [createHash('sha256').update(value).digest('hex'), owner],
      )
      await client.end()
      await provide({ name: 'tidings_desk', value })
    },
    { scope: 'worker' },
  ],
  async desk({ page, deskSession }, provide) {
    const url = new URL('/desk', siteUnderTest.url()).href
    await page.context().addCookies([{ ...deskSession, url, sameSite: 'Strict', httpOnly: true }])
    await provide(page)
  },
})

export { expect }
