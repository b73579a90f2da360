import { test as base, expect, type Page } from '@playwright/test'
import { siteUnderTest } from './site-under-test.config.ts'

type Fixtures = {
  /** What the browser complained about; the test fails if anything is left in it at the end. */
  complaints: string[]
  /** A page of a reader who has passed the gate. */
  reader: Page
}

type WorkerFixtures = { gatePass: { name: string; value: string } }

/** Journeys through the site. Every complaint in the browser's console fails the test. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  // One pass serves all journeys: tries at the gate are limited.
  gatePass: [
    async ({ playwright }, provide) => {
      const request = await playwright.request.newContext({ baseURL: siteUnderTest.url() })
      const answer = await request.post('/gate', { data: { password: siteUnderTest.password() } })
      expect(answer.status()).toBe(200)
      const cookie = (await request.storageState()).cookies.find(({ name }) => name === 'tidings_gate')
      if (cookie === undefined) throw new Error('The gate gave no pass')
      await request.dispose()
      await provide({ name: cookie.name, value: cookie.value })
    },
    { scope: 'worker' },
  ],
  complaints: [
    async ({ page }, provide) => {
      const complaints: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      await provide(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
  async reader({ page, gatePass }, provide) {
    await page.context().addCookies([{ ...gatePass, url: siteUnderTest.url() }])
    await provide(page)
  },
})

export { expect }
