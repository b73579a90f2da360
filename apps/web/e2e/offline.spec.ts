import type { Page } from '@playwright/test'
import { contentCaches, expect, keptCode, test } from './reader.ts'

/** Returns where the loading shape is on a phone, in landscape and in the phone frame. */
async function skeletonBoxes(page: Page) {
  const boxes = []
  for (const [width, height] of [
    [844, 390],
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    boxes.push(await page.locator('.loading-skeleton').boundingBox())
  }
  return boxes
}

test.describe('the first paint', () => {
  test('draws the masthead and the rules from the shell alone', async ({ reader }) => {
    const memos = /\/edition\/prod\/[\d-]+\w+$/
    await reader.route('**/static/js/*', () => {})
    await reader.route(memos, () => {})
    await reader.goto('/', { waitUntil: 'commit' })
    await expect(reader.locator('.site-name')).toHaveText('Tidings')
    await expect(reader.locator('.loading-row')).toHaveCount(6)
    const skeletons = await skeletonBoxes(reader)
    await reader.unrouteAll({ behavior: 'ignoreErrors' })
    // The memos begin where the shell has its first rule, so that nothing jumps.
    await reader.route(memos, () => {})
    await reader.goto('/?again')
    await expect(reader.locator('.masthead time')).toBeVisible()
    expect(await skeletonBoxes(reader)).toEqual(skeletons)
    await reader.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('of another screen draws its frame without the masthead of the news', async ({ reader }) => {
    await reader.route('**/static/js/*', () => {})
    const masthead = reader.locator('.masthead')
    for (const path of ['/#/footer', '/?from=mail#/viewgated/art_1']) {
      await reader.goto(path, { waitUntil: 'commit' })
      await expect(masthead).toBeAttached()
      await expect(reader.locator('.page')).toBeVisible()
      await expect(masthead).toBeHidden()
      await expect(reader.locator('.loading-row').first()).toBeHidden()
      await expect(reader.getByText('Loading...')).toBeVisible()
    }
    await reader.goto('/?from=home#/home', { waitUntil: 'commit' })
    await expect(masthead).toBeVisible()
    // Without a pass, the password screen follows.
    await reader.context().clearCookies()
    await reader.goto('/?closed#/home', { waitUntil: 'commit' })
    await expect(masthead).toBeAttached()
    await expect(masthead).toBeHidden()
    await reader.unrouteAll({ behavior: 'ignoreErrors' })
  })
})

test.describe('a browser without service workers', () => {
  test('loads the code of the other screens when idle', async ({ reader, consoleErrors }) => {
    await reader.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
    const legalScreen = reader.waitForResponse(/legal-screen-/)
    await reader.goto('/#/home')
    await (await legalScreen).finished()
    await expect(reader.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await reader.context().setOffline(true)
    await reader.evaluate(() => {
      window.location.hash = '/footer'
    })
    await expect(reader.getByRole('heading', { name: 'Terms of Use' })).toBeAttached()
    await reader.context().setOffline(false)
    consoleErrors.ignore()
  })
})

test.describe('an installed site', () => {
  test.use({ serviceWorkers: 'allow' })

  test('opens without a network, keeps the day and says what it lacks', async ({ reader, consoleErrors }) => {
    await reader.goto('/')
    const titles = reader.getByRole('heading', { level: 2 })
    await expect(titles.first()).toBeVisible()
    const newest = await titles.allTextContents()
    await keptEditions(reader, 1)
    await keptCode(reader)

    await reader.context().setOffline(true)
    await reader.goto('/')
    await expect(titles).toHaveText(newest)
    // An edition of the day that was never opened.
    await reader.getByRole('link', { name: '10AM' }).click()
    await reader.getByRole('button', { name: 'Expand all' }).click()
    await titles.last().scrollIntoViewIfNeeded()
    await expect(titles.first()).not.toBeInViewport()
    await reader.goto('/#/footer')
    await expect(reader.getByRole('heading', { name: 'Terms of Use' })).toBeAttached()
    await reader.goto('/#/auth')
    await expect(reader.getByRole('textbox')).toBeVisible()
    await expect(reader.getByText(/You’re offline/)).toBeVisible()
    // It shows the edition that was read last, but not at the place where the reader left it.
    await reader.goto('/?utm_source=mail#/edition/01-02-20-10AM')
    await expect(reader.getByText(/You’re offline/)).toBeInViewport()
    await reader.getByRole('heading', { level: 1 }).getByRole('link').click()
    await expect(titles).toHaveText(newest)

    // A like made in a page that was opened offline is sent once there is a connection.
    await titles.first().getByRole('button').click()
    const like = reader.getByRole('button', { name: /^Like/ }).first()
    // By keyboard: an opened memo scrolls into view, which can take a click elsewhere.
    await like.press('Enter')
    await expect(like).toHaveAccessibleName(/not saved yet/)
    await reader.context().setOffline(false)
    await expect(like).not.toHaveAccessibleName(/not saved yet/)
    await expect(like).toHaveAttribute('aria-pressed', 'true')
    await reader.context().setOffline(true)

    // A new browser session on the same device, still without a network.
    const second = await reader.context().newPage()
    await reader.context().clearCookies()
    await second.goto('/')
    await expect(second.getByRole('heading', { level: 2 })).toHaveText(newest)
    // The server then requires a pass, and what was kept is gone.
    await reader.context().setOffline(false)
    await second.reload()
    await expect(second).toHaveURL(/#\/protect$/)
    await expect.poll(() => contentCaches(second)).toEqual([])
    await reader.close()
    await second.context().setOffline(true)
    await second.goto('/')
    await expect(second.getByText(/You’re offline/)).toBeVisible()
    await expect(second.getByRole('heading', { level: 2 })).toHaveCount(0)
    await second.context().setOffline(false)
    consoleErrors.ignore()
  })

  test('answers only the page’s own address, and keeps nothing personal', async ({
    reader,
    consoleErrors,
  }) => {
    await reader.goto('/')
    await expect(reader.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await keptEditions(reader, 1)
    const kept = await reader.evaluate(async () => {
      const names = await caches.keys()
      const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      const shell = await (await caches.match('/shell.html', { ignoreSearch: true }))?.text()
      return { paths: requests.flat().map(({ url }) => new URL(url).pathname), shell }
    })
    expect(kept.shell).toContain('id="site-start">{}<')
    for (const path of kept.paths) {
      expect(path).toMatch(/^\/(shell\.html|static\/.+|edition\/prod\/(get_time_list\/)?[\w-]+|media\/.+)$/)
    }
    const manifest = await reader.request.get('/manifest.webmanifest')
    const { icons } = await manifest.json()
    for (const { src } of icons) expect((await reader.request.get(src)).status()).toBe(200)

    await reader.goto('/no-such-page')
    await expect(reader.getByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible()
    await reader.goto('/docs/')
    await expect(reader.locator('.site-name')).toHaveCount(0)
    consoleErrors.ignore()
  })
})

/** Waits until the service worker has kept editions. */
async function keptEditions(page: Page, atLeast: number): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(async () => {
        if (!(await caches.has('tidings-editions'))) return 0
        const kept = await (await caches.open('tidings-editions')).keys()
        return kept.filter(({ url }) => /\d\d-\w+M$/.test(url)).length
      }),
    )
    .toBeGreaterThanOrEqual(atLeast)
}
