import type { Page } from '@playwright/test'
import { accessibilityViolations, violationsInDark, violationsInLight } from './accessibility.ts'
import { editorOf } from './editor.ts'
import { lossesOfLargeText } from './large-text.ts'
import { createSubscriber, openSession } from './members/member.ts'
import { mailTo } from './membership/inbox.ts'
import { askForConsent, expect, test } from './reader.ts'
import { siteUnderTest } from './site-under-test.config.ts'

async function expectNoViolations(page: Page): Promise<void> {
  expect(await accessibilityViolations(page)).toEqual([])
}

// Each screen is opened once and checked in both color schemes.
test.describe('accessibility, in light and dark', () => {
  for (const path of ['/footer', '/auth', '/account/login', '/edition/01-01-20-10AM']) {
    test(`of ${path}`, async ({ reader, consoleErrors }) => {
      await reader.goto(`/#${path}`)
      await expect(reader.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(reader.getByText('Loading...')).toHaveCount(0)
      await expectNoViolations(reader)
      // The browser logs the 404 of a missing edition.
      if (path.startsWith('/edition')) consoleErrors.ignore()
    })
  }

  test('of /home on a phone, in the phone frame and with every memo open', async ({ reader }) => {
    await reader.goto('/#/home')
    await expect(reader.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(reader.getByText('Loading...')).toHaveCount(0)
    await expectNoViolations(reader)

    const phone = reader.viewportSize()
    await reader.setViewportSize({ width: 1440, height: 900 })
    await expect(reader.locator('.memo').first()).toBeVisible()
    await expectNoViolations(reader)

    if (phone !== null) await reader.setViewportSize(phone)
    await reader.getByRole('link', { name: '10AM' }).click()
    await reader.getByRole('button', { name: 'Expand all' }).click()
    await expect(reader.getByRole('link', { name: 'Source' }).first()).toBeVisible()
    await expectNoViolations(reader)
  })

  test('of the gate', async ({ page }) => {
    await page.goto('/')
    for (const violationsIn of [violationsInLight, violationsInDark]) {
      // The message expires after five seconds, so each check submits the form again.
      await page.getByRole('button', { name: 'Enter' }).click()
      await expect(page.getByText('Please enter the password')).toBeVisible()
      expect(await violationsIn(page)).toEqual([])
    }
    expect(await lossesOfLargeText(page)).toEqual([])
  })

  test('of the pages behind the links of a delivered email, on a phone and in a wide window', async ({
    page,
    gatePass,
    request,
    consoleErrors,
  }) => {
    const title = `Lighthouse turns ${process.pid}`
    const email = await createSubscriber(page)
    await editorOf(request).deliver(title)
    const { text } = await mailTo(email, title)
    const linkTo = (name: string) => new RegExp(`http\\S+/l/${name}/[^\\s)]+`).exec(text)?.[0] ?? ''
    const button = (name: string) => page.getByRole('button', { name, exact: true })

    async function expectGood(heading: string): Promise<void> {
      for (const viewport of [
        { width: 1440, height: 900 },
        { width: 390, height: 844 },
      ]) {
        await page.setViewportSize(viewport)
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
      }
      expect([...(await violationsInLight(page)), ...(await violationsInDark(page))]).toEqual([])
    }

    await page.goto(linkTo('view'))
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await expectGood('')
    await page.goto(linkTo('unsubscribe'))
    await expectGood('Unsubscribe from memos by email?')
    await button('Unsubscribe').click()
    await expectGood('You’re unsubscribed')
    await page.goto(linkTo('preferences'))
    await page.getByRole('checkbox', { name: 'Memo by e-mail' }).check()
    await button('Save').click()
    await expect(page.getByRole('status')).toHaveText('Your changes are saved.')
    await expectGood('How you receive editions')
    const day = page.getByLabel('Pause deliveries and continue on')
    await day.fill((await day.getAttribute('max')) ?? '')
    await button('Pause until then').click()
    await expect(page.getByText(/They continue on \w+ \d+, \d{4}\./)).toBeVisible()
    await expectGood('How you receive editions')
    await button('Continue now').click()
    await expect(page.getByRole('status')).toHaveText('Deliveries continue.')
    await page.goto(`${linkTo('view')}x`)
    await expectGood('This link doesn’t work')

    // The delivery is also on the member's dashboard.
    await page.context().addCookies([{ ...gatePass, url: siteUnderTest.url() }])
    await openSession(page, email)
    await page.goto('/#/account/dashboard')
    await page.locator('summary', { hasText: 'Last deliveries' }).click()
    await expect(page.getByRole('list', { name: 'Last deliveries' }).getByRole('link')).toBeVisible()
    await button('Pause deliveries').click()
    await expect(page.getByLabel('Continue on')).toBeFocused()
    await expectNoViolations(page)
    // The browser logs the 404.
    consoleErrors.ignore()
  })

  test('of an edition with a broken picture, a pending like, a withdrawn memo and a newer edition', async ({
    reader,
    request,
    consoleErrors,
  }) => {
    const editor = editorOf(request)
    const edition = await editor.publish(['Harbour opens', 'Night train returns'])
    await reader.route(`**/edition/prod/${edition}`, async (route) => {
      const response = await route.fetch()
      const memos = await response.json()
      for (const memo of memos) Object.assign(memo, { media: 'picture.jpg', media_title: 'The caption' })
      await route.fulfill({ response, json: memos })
    })
    await reader.route('**/media/**', (route) => route.abort())
    await reader.route('**/edition/update_counter', (route) => route.abort())
    await reader.goto(`/#/edition/${edition}`)
    await reader.getByRole('button', { name: 'Harbour opens' }).click()
    await expect(reader.getByText('The caption').first()).toBeVisible()
    await reader.getByRole('button', { name: /^Like/ }).click()
    await expect(reader.getByRole('button', { name: /^Like.*not saved yet/ })).toBeVisible()
    await editor.withdrawMemo(edition, 'Night train returns')
    await expect(reader.getByText('This memo was withdrawn.')).toBeVisible()
    await editor.publishAfternoon(edition, ['Bronzes go home'])
    await expect(reader.getByRole('button', { name: 'The 3PM edition is here' })).toBeVisible()
    await expectNoViolations(reader)
    consoleErrors.ignore()
  })

  test('of the memos while they load, when that fails and offline, with the question for consent', async ({
    reader,
    consoleErrors,
  }) => {
    const memos = /\/edition\/prod\/\d\d-\d\d-\d\d-/
    const loading = Promise.withResolvers<void>()
    await askForConsent(reader)
    await reader.route(memos, async (route) => {
      await loading.promise
      await route.fulfill({ status: 500, json: { error: { code: 'unknown-error', message: 'No' } } })
    })
    await reader.goto('/#/home')
    await expect(reader.getByText('May we count page views?')).toBeVisible()
    await expect(reader.getByText('Loading...')).toBeVisible()
    await expectNoViolations(reader)
    loading.resolve()
    await expect(reader.getByText('We couldn’t load the memos.')).toBeVisible()
    await expectNoViolations(reader)
    await reader.unroute(memos)
    await reader.route(memos, (route) => route.abort())
    await reader.getByRole('button', { name: 'Try again' }).click()
    await expect(reader.getByText(/You’re offline/)).toBeVisible()
    await expectNoViolations(reader)
    consoleErrors.ignore()
  })

  test('of a site without editions, a screen that fails and the pages outside of the web app', async ({
    reader,
    consoleErrors,
  }) => {
    await reader.route('/', async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/(id="site-start">)[^<]*/, '$1{}')
      await route.fulfill({ response, body })
    })
    await reader.route('**/edition/prod/get_list', (route) => route.fulfill({ json: [] }))
    await reader.route('**/edition/prod/get_time_list/*', (route) =>
      route.fulfill({ json: { date: '11-20-26', timeStamp: [] } }),
    )
    await reader.goto('/#/home')
    await expect(reader.locator('.notice')).toBeVisible()
    await expectNoViolations(reader)

    await reader.route('**/static/js/legal*', (route) => route.abort())
    await reader.goto('/#/footer')
    await expect(reader.getByRole('button', { name: 'Reload the page' })).toBeVisible()
    await expectNoViolations(reader)

    for (const path of [
      '/missing-page',
      '/auth/verify-email?app=x&email=a@example.com&code=1',
      '/auth-provider/callback/local',
    ]) {
      await reader.goto(path)
      await expect(reader.getByRole('heading', { level: 1 })).toBeVisible()
      await expectNoViolations(reader)
    }
    consoleErrors.ignore()
  })
})
