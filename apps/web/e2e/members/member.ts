import { expect, type Page } from '@playwright/test'
import { type Route, urlOf } from '@tidings/contracts/endpoint'
import { currentMemberReply, type Member } from '@tidings/contracts/membership/members'
import * as routes from '@tidings/contracts/membership/routes'
import { about, codeTo } from '../membership/inbox.ts'
import { test as base, openScreen } from '../reader.ts'
import { siteUnderTest } from '../site-under-test.config.ts'

export const password = 'a long password'

let count = 0

/** Returns an unused email address, which is wider than a phone's screen. */
function freshEmail(): string {
  count += 1
  return `a.member.with.a.rather.long.address.${process.pid}.${count}@guest.example`
}

let numberCount = 0

/** Returns a phone number that no other test uses: each process has a hundred of its own. */
export function freshNumber(): string {
  numberCount += 1
  return `+1213${2_000_000 + ((process.pid * 100 + numberCount) % 8_000_000)}`
}

/** Opens the sign-up, fills it in and returns its email address. */
export async function fillSignUp(page: Page, email = freshEmail()): Promise<string> {
  await openScreen(page, '/account/signup')
  await page.getByLabel('Name').fill('Ada Reader')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Phone number').fill('213 373 4253')
  await page.getByLabel('Password', { exact: true }).fill(password)
  return email
}

export async function submit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Submit' }).click()
}

/** Puts a new session of an account into the page's browser, as a login without a payment does. */
export async function openSession(page: Page, email: string): Promise<void> {
  const token = await otherDevice(page, email)
  await page.goto('/#/footer')
  await page.evaluate((value) => window.localStorage.setItem('_ms-mid', value), token)
  await page.goto('about:blank')
}

/** Waits until Stripe's page is open. */
export async function expectCheckout(page: Page): Promise<void> {
  await page.waitForURL((url) => url.href.startsWith(siteUnderTest.stripeUrl()))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Subscribe to Monthly')
}

/** Waits for the screen that a payment leads to. */
export async function expectWelcome(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Monthly plan is active')
}

/** Puts the steps to the first edition off, which leads to the dashboard. */
export async function putStepsOff(page: Page): Promise<void> {
  await expectWelcome(page)
  await page.getByRole('button', { name: 'Not now' }).click()
}

/** Calls the site's API as the account does, outside of the browser. */
export async function createAccount(page: Page, email = freshEmail()): Promise<string> {
  const headers = { 'X-API-Key': siteUnderTest.publicKey() }
  const response = await page.request.post(urlOf(routes.signUp), { headers, data: { email, password } })
  expect(response.status()).toBe(200)
  return email
}

/** Creates a verified account with a plan that delivers memos by email. */
export async function createSubscriber(page: Page): Promise<string> {
  const headers = { 'X-API-Key': siteUnderTest.publicKey() }
  const email = freshEmail()
  const post = async (route: Route, data: object) =>
    expect((await page.request.post(route.path, { headers, data })).status()).toBe(200)
  // The seeded free plan delivers.
  const plans = [{ planId: 'pln_free-7q2m9x4kd1' }]
  await post(routes.signUp, { email, password, plans, customFields: { getmemomethodbyemail: true } })
  await post(routes.verifyEmail, { email, password, code: await codeTo(email, about.verification) })
  return email
}

/** Logs in on the login screen and goes to the dashboard without paying. */
export async function logIn(page: Page, email: string): Promise<void> {
  await openScreen(page, '/account/login')
  await fillLogin(page, email)
  await expectCheckout(page)
  await page.goto('/#/account/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Subscription options' })).toBeVisible()
}

export async function fillLogin(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.keyboard.press('Enter')
}

/** Returns the member as the server knows it, by a session, or else by that in the page; null without one. */
export async function memberOf(page: Page, session?: string): Promise<Member | null> {
  const token = session ?? (await page.evaluate(() => localStorage.getItem('_ms-mid')))
  const response = await page.request.get(urlOf(routes.getMember), { headers: memberHeaders(token ?? '') })
  return currentMemberReply.parse(await response.json()).data
}

/** Ends all sessions but the given one, as another device does. */
export async function endOtherSessions(page: Page, token: string): Promise<void> {
  const response = await page.request.get(urlOf(routes.listSessions), { headers: memberHeaders(token) })
  const { data }: { data: { id: string; current: boolean }[] } = await response.json()
  for (const { id } of data.filter(({ current }) => !current))
    await page.request.delete(urlOf(routes.endSession, { params: { id } }), {
      headers: memberHeaders(token),
    })
}

/** Logs in on another device, and returns its token. */
export async function otherDevice(page: Page, email: string): Promise<string> {
  const headers = { 'X-API-Key': siteUnderTest.publicKey() }
  const response = await page.request.post(urlOf(routes.login), { headers, data: { email, password } })
  const { data }: { data: { tokens: { accessToken: string } } } = await response.json()
  return data.tokens.accessToken
}

function memberHeaders(token: string) {
  return { 'X-API-Key': siteUnderTest.publicKey(), authorization: `Bearer ${token}` }
}

export { base as test, expect }
