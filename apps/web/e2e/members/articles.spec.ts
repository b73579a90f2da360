import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../accessibility.ts'
import { payWith } from '../membership/checkout.ts'
import { fontsLoaded, keptCode, openScreen } from '../reader.ts'
import { createAccount, endOtherSessions, expect, openSession, otherDevice, test } from './member.ts'

const planWall = 'This article comes with the Yearly plan.'

/** Returns the paths of the gated articles: those for every member, and the one for yearly members. */
async function articlePaths(page: Page) {
  await page.goto('/#/gated')
  await expect(page.locator('.gated-titles a').first()).toBeVisible()
  const paths = await page
    .locator('.gated-titles a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  const open: string[] = []
  let yearly = ''
  for (const path of paths) {
    await openScreen(page, path)
    const text = page.locator('.gated-article > article .prose')
    await expect(text.or(page.getByText(planWall))).toBeVisible()
    if (await text.isVisible()) open.push(path)
    else yearly = path
  }
  const [first = '', second = ''] = open
  return { first, second, yearly }
}

const commentsOf = (page: Page) => page.getByRole('button', { name: /^Comments/ })

/** Returns the addresses of everything that is kept for a member. */
function keptForMember(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.includes('article'))
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
}

async function sentenceOf(page: Page): Promise<string> {
  return ((await page.locator('.prose > p').first().textContent()) ?? '').slice(0, 60)
}

test.describe('a gated article', () => {
  test('is closed to visitors and to members without its plan, and opens with it', async ({
    reader,
    consoleErrors,
  }) => {
    const email = await createAccount(reader)
    await openSession(reader, email)
    const { first, yearly } = await articlePaths(reader)
    await openScreen(reader, '/gated')
    await expect(reader.locator('.gated-titles a').first()).toBeVisible()
    expect(await accessibilityViolations(reader)).toEqual([])
    await openScreen(reader, first)
    const sentence = await sentenceOf(reader)
    expect(await accessibilityViolations(reader)).toEqual([])

    await openScreen(reader, yearly)
    await expect(reader.getByText(planWall)).toBeVisible()
    await expect(commentsOf(reader)).toHaveCount(0)
    expect(await accessibilityViolations(reader)).toEqual([])
    await reader.getByRole('button', { name: 'Get the Yearly plan' }).click()
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Subscribe to Yearly')
    await payWith(reader, 'Pays')
    await reader.waitForURL(/#\/viewgated\//)
    await expect(reader.locator('.gated-article .prose')).toBeVisible()
    await expect(reader).toHaveURL(/#\/viewgated\/[\w-]+$/)
    await expect(commentsOf(reader)).toBeVisible()

    await reader.evaluate(() => window.localStorage.clear())
    await openScreen(reader, first)
    await expect(reader.getByText(/This article is for members/)).toBeVisible()
    await expect(commentsOf(reader)).toHaveCount(0)
    expect(await reader.content()).not.toContain(sentence)
    expect(await accessibilityViolations(reader)).toEqual([])
    await reader.getByRole('link', { name: 'Log in' }).click()
    await reader.getByLabel('Email').fill(email)
    await reader.getByLabel('Password', { exact: true }).fill('a long password')
    await reader.keyboard.press('Enter')
    await expect(reader.getByText(sentence)).toBeVisible()
    expect(reader.url()).toContain(first.slice(1))
    consoleErrors.ignore()
  })

  test('has comments, which members write, reply to and vote on', async ({ reader, consoleErrors }) => {
    const author = await createAccount(reader)
    await openSession(reader, author)
    const { first } = await articlePaths(reader)
    // The browser logs the refusal of the article for yearly members.
    consoleErrors.splice(0)
    const comment = `A calm word of ${author}`
    await openScreen(reader, first)
    await commentsOf(reader).click()
    await reader.getByLabel('Write a comment').fill(comment)
    await reader.getByRole('button', { name: 'Post' }).click()
    const post = reader.locator('.comment-list > li', { hasText: comment })
    await expect(post).toBeVisible()

    await openSession(reader, await createAccount(reader))
    await openScreen(reader, first)
    await commentsOf(reader).click()
    await post.getByRole('button', { name: 'Like', exact: true }).click()
    await expect(post.getByRole('button', { name: 'Like (1)', pressed: true })).toBeVisible()
    await post.getByRole('button', { name: 'Reply' }).click()
    await reader.getByLabel('Write a reply').fill('And a reply')
    await post.locator('form').getByRole('button', { name: 'Reply' }).click()
    await expect(post.getByText('And a reply')).toBeVisible()
    expect(await accessibilityViolations(reader)).toEqual([])
  })

  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    test(`keeps the reader's place at ${viewport.width} px`, async ({ reader, consoleErrors }) => {
      await reader.setViewportSize(viewport)
      await openSession(reader, await createAccount(reader))
      const { first } = await articlePaths(reader)
      consoleErrors.splice(0)
      await reader.goto('/#/gated')
      await reader.locator(`a[href="${first}"]`).click()
      const paragraph = reader.locator('.prose > p').nth(4)
      await paragraph.scrollIntoViewIfNeeded()
      await fontsLoaded(reader)
      await paragraph.evaluate((element) => element.scrollIntoView({ block: 'start' }))
      const top = async () => (await paragraph.boundingBox())?.y ?? Number.NaN
      const before = await top()
      await reader.reload()
      await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThanOrEqual(1)
      const back = reader.getByRole('link', { name: 'Go back' })
      await back.scrollIntoViewIfNeeded()
      const left = await top()
      await back.click()
      await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Gated articles')
      await reader.goBack()
      await expect.poll(async () => Math.abs((await top()) - left)).toBeLessThanOrEqual(1)
    })
  }
})

test.describe('a gated article on the device', () => {
  test.use({ serviceWorkers: 'allow' })

  test('opens offline, and is removed at logout in any tab', async ({ reader, consoleErrors }) => {
    await openSession(reader, await createAccount(reader))
    await reader.goto('/#/home')
    await reader.evaluate(() => navigator.serviceWorker.ready.then(() => null))
    await expect.poll(() => reader.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    const { first, second } = await articlePaths(reader)
    await openScreen(reader, first)
    const sentence = await sentenceOf(reader)
    await expect.poll(() => keptForMember(reader)).toContainEqual(expect.stringMatching(/^\/gated\//))
    await keptCode(reader)

    await reader.context().setOffline(true)
    await openScreen(reader, '/gated')
    await expect(reader.locator('.gated-titles a').first()).toBeVisible()
    await openScreen(reader, first)
    await expect(reader.getByText(sentence)).toBeVisible()
    await expect
      .poll(() =>
        reader.locator('.article-picture img').evaluate((image) => Reflect.get(image, 'naturalWidth')),
      )
      .toBeGreaterThan(0)
    await reader.goto('/#/viewgated/0199a1f4-1111-7abc-8def-0123456789ab')
    await expect(reader.getByText(/isn’t on this device/)).toBeVisible()
    await expect(reader.getByRole('link', { name: 'Go back' })).toBeVisible()
    await reader.context().setOffline(false)

    await openScreen(reader, second)
    await expect(reader.locator('.prose')).toBeVisible()
    const other = await reader.context().newPage()
    await other.goto('/#/home')
    await other.getByRole('button', { name: 'Log out' }).click()
    await expect(reader.getByText(/Your session has ended/)).toBeVisible()
    await expect.poll(() => keptForMember(reader)).toEqual([])
    await reader.context().setOffline(true)
    await openScreen(reader, first)
    await expect(reader.getByText(/This article is for members/)).toBeVisible()
    await reader.context().setOffline(false)
    consoleErrors.ignore()
  })

  test('is removed when the session ended elsewhere and when the account is deleted', async ({
    reader,
    consoleErrors,
  }) => {
    const email = await createAccount(reader)
    await openSession(reader, email)
    await reader.goto('/#/home')
    await expect.poll(() => reader.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    const { first } = await articlePaths(reader)
    await openScreen(reader, first)
    const sentence = await sentenceOf(reader)
    await expect.poll(() => keptForMember(reader)).not.toEqual([])
    await endOtherSessions(reader, await otherDevice(reader, email))
    await reader.reload()
    await expect(reader.getByText(/Your session has ended/)).toBeVisible()
    await expect.poll(() => keptForMember(reader)).toEqual([])

    await openSession(reader, email)
    await openScreen(reader, first)
    await expect(reader.getByText(sentence)).toBeVisible()
    await expect.poll(() => keptForMember(reader)).not.toEqual([])
    await expect.poll(() => reader.evaluate(() => typeof Reflect.get(window, '$membership'))).toBe('object')
    await reader.evaluate('window.$membership.deleteMember()')
    await expect.poll(() => keptForMember(reader)).toEqual([])
    consoleErrors.ignore()
  })
})
