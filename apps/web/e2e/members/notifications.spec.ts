import type { Page } from '@playwright/test'
import { editorOf } from '../editor.ts'
import { expectAccessiblePage } from '../membership/accessible-page.ts'
import { createSubscriber, expect, openSession, test } from './member.ts'
import { pushBrowser } from './push-browser.ts'

const offer = { name: 'Notify me of new editions' }

/** Turns notifications on, on the dashboard of a new member. */
async function turnOn(page: Page) {
  const browser = await pushBrowser(page)
  await openSession(page, await createSubscriber(page))
  await page.goto('/#/account/dashboard')
  await page.getByRole('button', offer).click()
  await expect(page.getByText('Notifications are on.')).toBeVisible()
  return browser
}

/** Opens the news on a later visit of the member, and waits until it is known which browsers are notified. */
async function visitAgain(page: Page): Promise<void> {
  await page.goto('/robots.txt')
  await page.evaluate(() => localStorage.setItem('tidings:visits', '1 0'))
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('tidings:visits'))).toMatch(/^2 /)
  await page.waitForLoadState('networkidle')
}

test.describe('notifications', () => {
  test.use({ serviceWorkers: 'allow' })

  test('show a new edition quietly, open it, and end in one tap', async ({ reader }) => {
    const browser = await pushBrowser(reader)
    await openSession(reader, await createSubscriber(reader))
    await reader.goto('/#/account/dashboard')
    await reader.getByRole('button', offer).click()
    await expect(reader.getByText('Notifications are on.')).toBeVisible()
    await expectAccessiblePage(reader, 'Subscription options')

    const title = `Ferries ${process.pid}, notified in round ${test.info().repeatEachIndex}`
    await editorOf(reader.request).deliver(title)
    const text = await browser.message(title)
    expect(Object.keys(JSON.parse(text)).toSorted()).toEqual(['body', 'lang', 'path', 'tag', 'title'])
    const [shown] = await browser.deliver(text)
    const { path, tag, body } = JSON.parse(text)
    expect(shown).toMatchObject({ title, body, tag, silent: true, data: { path } })
    expect(shown).toMatchObject({ icon: expect.stringMatching(/^\/static\/icon-192/) })

    // The open window goes there, without loading the page again.
    await reader.evaluate(() => Object.assign(window, { isSamePage: true }))
    expect(await browser.tap({ path })).toEqual([])
    await expect(reader).toHaveURL(new RegExp(`/#${path}$`))
    await expect(reader.getByRole('heading', { level: 2, name: title })).toBeVisible()
    expect(await reader.evaluate(() => Reflect.get(window, 'isSamePage'))).toBe(true)

    await reader.goto('/#/account/dashboard')
    await reader.getByRole('button', { name: 'Turn off notifications in this browser' }).click()
    await expect(reader.getByText('Notifications are off in this browser.')).toBeVisible()
    await expect(reader.getByRole('button', offer)).toBeVisible()
    expect(await browser.endpoint()).toBeUndefined()
  })

  test('say what is true when a message can’t be read, and lead home in a new window', async ({ reader }) => {
    const browser = await pushBrowser(reader)
    await reader.goto('/')
    await reader.evaluate(() => navigator.serviceWorker.ready.then(() => null))
    const [shown] = await browser.deliver('not JSON')
    expect(shown).toMatchObject({ title: 'The newest edition is one tap away', data: { path: '/home' } })
    await reader.goto('/robots.txt')
    expect(await browser.tap({ path: 'https://elsewhere.example' })).toEqual([
      `${new URL(reader.url()).origin}/#/home`,
    ])
  })

  test('go on when the browser gets another subscription while the site is open', async ({ reader }) => {
    const browser = await turnOn(reader)
    await visitAgain(reader)
    const before = await browser.endpoint()
    expect(await browser.renew({ isMade: true })).toEqual([])
    await expectNotified(reader, browser, before)
  })

  test('go on when the browser loses its subscription while the site is closed', async ({ reader }) => {
    const browser = await turnOn(reader)
    const before = await browser.endpoint()
    await reader.goto('/robots.txt')
    expect(await browser.renew({ isMade: false })).toEqual([
      { userVisibleOnly: true, applicationServerKey: browser.serverKey() },
    ])
    await reader.goto('/')
    await expectNotified(reader, browser, before)
  })

  test('are not offered again once they are on, or once declined', async ({ reader }) => {
    await turnOn(reader)
    await reader.reload()
    const section = reader.getByRole('region', { name: 'Notifications', exact: true })
    await expect(section.getByText('This browser', { exact: true })).toBeVisible()
    await expect(section.getByRole('button', offer)).toBeHidden()
    await expectAccessiblePage(reader, 'Subscription options')
    await visitAgain(reader)
    await expect(reader.getByRole('button', offer)).toBeHidden()

    await reader.goto('/#/account/dashboard')
    await reader.getByRole('button', { name: 'Turn off notifications in this browser' }).click()
    await expect(reader.getByText('Notifications are off in this browser.')).toBeVisible()
    await visitAgain(reader)
    await expect(reader.getByRole('button', offer)).toBeVisible()
    await reader.getByRole('button', { name: 'No, thanks' }).click()
    await expect(reader.getByRole('button', offer)).toBeHidden()
    await visitAgain(reader)
    await expect(reader.getByRole('button', offer)).toBeHidden()
  })

  test('are offered at the second visit, without moving the memos, and end with a logout', async ({
    reader,
  }) => {
    const browser = await pushBrowser(reader)
    await openSession(reader, await createSubscriber(reader))
    await reader.goto('/#/footer')
    await reader.evaluate(() => localStorage.setItem('tidings:visits', '1 0'))
    await reader.goto('/robots.txt')
    await reader.goto('/')
    const memo = reader.getByRole('heading', { level: 2 }).first()
    await expect(memo).toBeVisible()
    const before = await memo.boundingBox()
    const button = reader.getByRole('button', offer)
    await expect(button).toBeVisible()
    expect(await memo.boundingBox()).toEqual(before)
    await button.click()
    await expect(reader.getByText('This browser is notified of new editions.')).toBeVisible()
    expect(await browser.endpoint()).toMatch(/\/push\//)

    await reader.getByRole('button', { name: 'Log out' }).click()
    await expect(reader.getByRole('link', { name: 'Log in' })).toBeVisible()
    await expect.poll(() => browser.endpoint()).toBeUndefined()
  })
})

type PushBrowser = Awaited<ReturnType<typeof pushBrowser>>

/** Waits until the site knows the new subscription, and it alone, and delivers to it. */
async function expectNotified(page: Page, browser: PushBrowser, before: string): Promise<void> {
  expect(await browser.endpoint()).not.toBe(before)
  const registered = () => page.evaluate(() => localStorage.getItem('tidings:notified-browser'))
  await expect.poll(registered).toContain(await browser.endpoint())
  const title = `Renewed ${process.pid}, ${test.info().testId} in round ${test.info().repeatEachIndex}`
  await editorOf(page.request).deliver(title)
  expect(await browser.message(title)).toContain(title)
  await page.goto('/#/account/dashboard')
  const devices = page.getByRole('list', { name: 'Notified browsers' }).getByRole('listitem')
  await expect(devices).toHaveCount(1)
  await expect(devices.getByText('This browser', { exact: true })).toBeVisible()
}
