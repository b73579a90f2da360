import type { Page } from '@playwright/test'
import { contentCaches, expect, test } from './reader.ts'
import { siteUnderTest } from './site-under-test.config.ts'

const dayMs = 24 * 60 * 60 * 1000

test.describe('the service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('offers an update without forcing it, and reloads once when it is accepted', async ({ reader }) => {
    await openAndKeep(reader)
    // Ready with what reading needs; the code of other screens comes later.
    const [precache = ''] = (await cacheNames(reader)).filter((name) => name.includes('precache'))
    expect(await keptUrls(reader, precache, /./)).toHaveLength(5)
    expect(await keptUrls(reader, precache, /-english-wght-normal-/)).toHaveLength(2)
    let loads = 0
    reader.on('load', () => {
      loads += 1
    })
    const controller = () => reader.evaluate(() => navigator.serviceWorker.controller?.scriptURL ?? '')
    // To the browser, another address is another version.
    await reader.evaluate(() => navigator.serviceWorker.register('/service-worker.js?next').then(() => null))
    const line = reader.getByRole('status').filter({ hasText: 'A new version is ready.' })
    await expect(line).toBeVisible()
    expect([await controller(), loads]).toEqual([expect.stringMatching(/service-worker\.js$/), 0])

    const loaded = reader.waitForEvent('load')
    await line.getByRole('button', { name: 'Reload' }).click()
    await loaded
    await expect(reader.getByRole('heading', { level: 2 }).first()).toBeVisible()
    expect(await controller()).toMatch(/\?next$/)
    // The page's own registration is the next version, which waits again.
    await expect(line).toBeVisible()
    expect(loads).toBe(1)
  })

  test('is installed later if it could not be kept at first', async ({ reader, consoleErrors }) => {
    const session = await reader.context().newCDPSession(reader)
    const origin = siteUnderTest.url()
    const hasRegistration = () =>
      reader.evaluate(async () => (await navigator.serviceWorker.getRegistration()) !== undefined)
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 })
    await reader.clock.install()
    const beginning = reader.context().waitForEvent('serviceworker')
    await reader.goto('/')
    await expect(reader.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await reader.clock.runFor(3_000)
    await beginning
    await expect.poll(hasRegistration).toBe(false)

    await session.send('Storage.overrideQuotaForOrigin', { origin })
    await reader.clock.runFor(30_000)
    await expect.poll(() => reader.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    consoleErrors.ignore()
  })

  test('shows the kept titles before the page’s script runs', async ({ reader }) => {
    await openAndKeep(reader)
    await expect.poll(() => keptUrls(reader, 'tidings-editions', /get_time_list/)).toHaveLength(1)
    const titles = await reader.locator('.memo-title').allTextContents()
    await emptyKeptScript(reader)
    await reader.reload()
    await expect(reader.locator('span.memo-title')).toHaveText(titles)
  })

  test('deletes what it kept once the server requires a pass', async ({ reader, consoleErrors }) => {
    await openAndKeep(reader)
    // A page without the site's scripts: only the worker acts.
    await reader.goto('/robots.txt')
    const [edition = ''] = await keptUrls(reader, 'tidings-editions', /\d\d-\w+M$/)
    const read = () => reader.evaluate(async (url) => (await fetch(url)).status, edition)
    expect(await read()).toBe(200)
    await reader.context().clearCookies()
    expect(await read()).toBe(401)
    await expect.poll(() => contentCaches(reader)).toEqual([])
    consoleErrors.ignore()
  })

  test('opens nothing kept 30 days after the gate, and deletes it', async ({ reader, consoleErrors }) => {
    await openAndKeep(reader)
    await reader.evaluate((ago) => {
      const key = 'tidings:gate-passed-at'
      window.localStorage.setItem(key, String(Number(window.localStorage.getItem(key)) - ago))
    }, 30 * dayMs)
    await reader.context().setOffline(true)
    const later = await reader.context().newPage()
    await reader.close()
    await later.goto('/')
    await expect(later.getByText(/You’re offline/)).toBeVisible()
    await expect(later.getByRole('heading', { level: 2 })).toHaveCount(0)
    await expect.poll(() => contentCaches(later)).toEqual([])
    await later.context().setOffline(false)
    consoleErrors.ignore()
  })

  test('keeps at most 120 pictures, for 30 days', async ({ reader }) => {
    await openAndKeep(reader)
    await reader.goto('/robots.txt')
    const picture = await reader.evaluate(async () => {
      const cache = await caches.open('tidings-editions')
      for (const { url } of await cache.keys()) {
        const body = await (await cache.match(url))?.json()
        const media = Array.isArray(body) ? body.find((memo) => memo.media)?.media : undefined
        const key = url.split('/').at(-1) ?? ''
        if (media !== undefined) return `/media/${key.slice(0, 8)}/${key.slice(9)}/${media}`
      }
      throw new Error('No kept edition has a picture')
    })
    const read = (from: number, to: number) =>
      reader.evaluate(
        async ({ url, first, last }) => {
          for (let n = first; n <= last; n += 1) await (await fetch(`${url}?n=${n}`)).blob()
        },
        { url: picture, first: from, last: to },
      )
    const kept = async () => (await keptUrls(reader, 'tidings-pictures', /\?n=\d+$/)).toSorted()
    await read(1, 123)
    await expect.poll(async () => (await kept()).length).toBe(120)
    const urls = await kept()
    expect(urls.filter((url) => /\?n=[123]$/.test(url))).toEqual([])
    expect(urls.filter((url) => /\?n=123$/.test(url))).toHaveLength(1)

    await ageKeptPictures(reader, 31 * dayMs)
    await read(200, 200)
    await expect.poll(kept).toEqual([expect.stringMatching(/\?n=200$/)])
  })
})

/** Opens the newest edition, and waits until the worker has kept it. */
async function openAndKeep(page: Page): Promise<void> {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  await expect
    .poll(async () => (await keptUrls(page, 'tidings-editions', /\d\d-\w+M$/)).length)
    .toBeGreaterThan(0)
}

/** Replaces the page's own script in the worker's cache, so that it does nothing. */
async function emptyKeptScript(page: Page): Promise<void> {
  const name = (await cacheNames(page)).find((cacheName) => cacheName.includes('precache')) ?? ''
  const [script = ''] = await keptUrls(page, name, /\/static\/js\/index-[^/]+\.js/)
  await page.evaluate(
    async ([cacheName, url]) => {
      const headers = { 'Content-Type': 'text/javascript' }
      await (await caches.open(cacheName)).put(url, new Response('', { headers }))
    },
    [name, script] as const,
  )
}

async function keptUrls(page: Page, name: string, pattern: RegExp): Promise<string[]> {
  const urls = await page.evaluate(async (cacheName) => {
    if (!(await caches.has(cacheName))) return []
    return (await (await caches.open(cacheName)).keys()).map(({ url }) => url)
  }, name)
  return urls.filter((url) => pattern.test(url))
}

async function cacheNames(page: Page): Promise<string[]> {
  return await page.evaluate(() => caches.keys())
}

/** Moves the time at which pictures were last used into the past. */
async function ageKeptPictures(page: Page, byMs: number): Promise<void> {
  await page.evaluate(async (ms) => {
    const opened = indexedDB.open('workbox-expiration')
    await new Promise((resolve) => opened.addEventListener('success', resolve))
    const changes = opened.result.transaction('cache-entries', 'readwrite')
    const cursors = changes.objectStore('cache-entries').openCursor()
    cursors.addEventListener('success', () => {
      const cursor = cursors.result
      if (cursor === null) return
      cursor.update({ ...cursor.value, timestamp: cursor.value.timestamp - ms })
      cursor.continue()
    })
    await new Promise((resolve) => changes.addEventListener('complete', resolve))
    opened.result.close()
  }, byMs)
}
