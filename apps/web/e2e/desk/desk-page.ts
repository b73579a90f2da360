import type { CDPSession, Page } from '@playwright/test'
import { mailTo } from '../membership/inbox.ts'
import { test as base } from '../reader.ts'
import { siteUnderTest } from '../site-under-test.config.ts'

/** The seeded person, who has every role. */
export const owner = 'owner@tidings.example'

/** Gives the browser an authenticator that verifies the person, as a phone or laptop has one. */
export async function addAuthenticator(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
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
  // One session serves all tests: links by email are limited.
  deskSession: [
    async ({ playwright }, provide) => {
      const { origin } = new URL(siteUnderTest.url())
      const request = await playwright.request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } })
      await request.post('/desk/v1/sign-in-links', { data: { email: owner }, headers: { 'x-desk': '1' } })
      await request.post(linkIn((await mailTo(owner, 'signs you in')).text), { form: {} })
      const cookie = (await request.storageState()).cookies.find(({ name }) => name === 'tidings_desk')
      if (cookie === undefined) throw new Error('The link set no cookie')
      await request.dispose()
      await provide({ name: cookie.name, value: cookie.value })
    },
    { scope: 'worker' },
  ],
  async desk({ page, deskSession }, provide) {
    const url = new URL('/desk', siteUnderTest.url()).href
    await page.context().addCookies([{ ...deskSession, url, sameSite: 'Strict', httpOnly: true }])
    await provide(page)
  },
})

export { expect } from '@playwright/test'
