import { test as base, expect, type Page, type Request } from '@playwright/test'
import { urlOf } from '@tidings/contracts/endpoint'
import { passGate } from '@tidings/contracts/routes'
import { isMissingIcon } from './missing-icon.ts'
import { siteUnderTest } from './site-under-test.config.ts'

type Fixtures = {
  /** Errors and warnings in the browser's console. Any left at the end fails the test, unless it called `ignore`. */
  consoleErrors: string[] & { ignore: () => void }
  /** A page of a reader who has passed the gate. */
  reader: Page
}

type WorkerFixtures = { gatePass: { name: string; value: string } }

/** A test in the browser. Every unexpected console error fails it. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  // One pass serves all tests: attempts at the gate are limited.
  gatePass: [
    async ({ playwright }, provide) => {
      const request = await playwright.request.newContext({ baseURL: siteUnderTest.url() })
      const response = await request.post(urlOf(passGate), { data: { password: siteUnderTest.password() } })
      expect(response.status()).toBe(200)
      const cookie = (await request.storageState()).cookies.find(({ name }) => name === 'tidings_gate')
      if (cookie === undefined) throw new Error('The gate set no cookie')
      await request.dispose()
      await provide({ name: cookie.name, value: cookie.value })
    },
    { scope: 'worker' },
  ],
  consoleErrors: [
    async ({ page }, provide) => {
      let isIgnored = false
      const ignore = () => {
        isIgnored = true
      }
      const consoleErrors = Object.assign<string[], { ignore: () => void }>([], { ignore })
      page.on('console', (message) => {
        if (message.type() !== 'error' && message.type() !== 'warning') return
        if (message.text().includes('blocked by Playwright') || isMissingIcon(message)) return
        // The text of a failed request doesn't say which one it was.
        consoleErrors.push(`${message.text()} (${message.location().url})`)
      })
      page.on('pageerror', ({ message }) => {
        // Playwright blocks it, except in the tests about it.
        if (message !== 'The service worker was not registered') consoleErrors.push(message)
      })
      await provide(consoleErrors)
      if (!isIgnored) expect([...consoleErrors]).toEqual([])
    },
    { auto: true },
  ],
  async reader({ page, gatePass }, provide) {
    await page.context().addCookies([{ ...gatePass, url: siteUnderTest.url() }])
    await provide(page)
  },
})

/** Turns the tag manager on, so that the page asks for consent. */
export async function askForConsent(page: Page): Promise<void> {
  await page.route('/', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace('"tagManagerId":""', '"tagManagerId":"GTM-TEST"')
    await route.fulfill({ response, body })
  })
}

/**
 * Opens a screen in a new document. A change of the hash alone leaves the screen before it for a moment, and a locator
 * then finds what has the same name there.
 * @param path the screen's path, also as the address of a link, with the hash
 */
export async function openScreen(page: Page, path: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`/#${path.slice(path.indexOf('#') + 1)}`)
}

/** Waits for the web fonts: lines may break elsewhere in the fonts before them. */
export async function fontsLoaded(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => null))
}

/**
 * Returns the path and the transferred bytes of finished requests. Call it in the test: a size that is asked for in an
 * event's handler may still be pending when the page closes, and then fails the next test.
 */
export async function bodySizes(requests: readonly Request[]): Promise<{ path: string; bytes: number }[]> {
  return await Promise.all(
    requests.map(async (request) => ({
      path: new URL(request.url()).pathname,
      bytes: (await request.sizes()).responseBodySize,
    })),
  )
}

/** Waits until the service worker has kept all code that it lists. */
export async function keptCode(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const worker = await (await fetch('/service-worker.js')).text()
        const files =
          worker.match(/\/static\/(?:[\w./-]+\.(?:js|css)|[\w-]+-english-wght-normal-[\w-]+\.woff2)/g) ?? []
        const kept = await Promise.all(files.map((file) => caches.match(file)))
        return files.length > 0 && kept.every((reply) => reply?.ok)
      }),
    )
    .toBe(true)
}

/** Returns the names of the caches that keep content, not the site's own files. */
export async function contentCaches(page: Page): Promise<string[]> {
  const names = await page.evaluate(() => caches.keys())
  return names.filter((name) => name !== 'tidings-screens' && !name.includes('precache'))
}

export { expect }
