import { createAccount, expect, openSession, test } from './members/member.ts'
import { openScreen } from './reader.ts'

const wayBack =
  'a[href="#/home"], a[href="/#/home"], a[href$="#/account/login"], a[href$="#/account/dashboard"]'
const open = ['/home', '/edition/11-11-99-10AM', '/edition/nonsense', '/auth', '/footer', '/search']
const login = ['/account/login', '/account/signup', '/resetpassword', '/viewgated/none']
const members = ['/archive', '/account/dashboard', '/account/change-plan', '/changepassword', '/gated']

// An installed app has no button of the browser that leads back.
test('every screen of a visitor has a way back', async ({ reader, consoleErrors }) => {
  for (const path of [...open, ...login]) {
    await openScreen(reader, path)
    await expect(reader.locator(wayBack).first(), path).toBeVisible()
  }
  // The browser logs the missing editions.
  consoleErrors.ignore()
})

test('every screen of a member has a way back, also one that fails', async ({ reader, consoleErrors }) => {
  await openSession(reader, await createAccount(reader))
  for (const path of [...members, '/viewgated/none']) {
    await openScreen(reader, path)
    await expect(reader.locator(wayBack).first(), path).toBeVisible()
  }
  await reader.goto('about:blank')
  await reader.route(/\/member\?|\/member$/, (route) => route.fulfill({ status: 500, json: {} }))
  await reader.evaluate(() => localStorage.removeItem('_ms-mem')).catch(() => undefined)
  for (const path of ['/account/dashboard', '/account/change-plan', '/changepassword']) {
    await openScreen(reader, path)
    await expect(reader.locator(wayBack).first(), path).toBeVisible()
  }
  consoleErrors.ignore()
})

test('pages outside of the app lead to the site', async ({ page, consoleErrors }) => {
  for (const path of ['/missing-page', '/auth/verify-email?app=a&email=a@example.com&code=1']) {
    await page.goto(path)
    await expect(page.locator('a[href="/"]').first(), path).toBeVisible()
  }
  consoleErrors.ignore()
})
