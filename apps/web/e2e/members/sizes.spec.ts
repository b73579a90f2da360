import type { Request } from '@playwright/test'
import { bodySizes } from '../reader.ts'
import { createAccount, expect, expectCheckout, logIn, password, test } from './member.ts'

const visitorPaths = ['/account/login', '/account/signup', '/resetpassword']
const memberPaths = ['/account/dashboard', '/account/change-plan', '/changepassword', '/archive', '/gated']

test.describe('the account screens', () => {
  test('add at most 40 kB each to a visit', async ({ reader }) => {
    const finished: Request[] = []
    reader.on('requestfinished', (request) => {
      if (new URL(request.url()).pathname.startsWith('/static/')) finished.push(request)
    })

    async function expectSmall(path: string): Promise<void> {
      // Every screen is measured as if it was the only one that the reader opens.
      await reader.goto('about:blank')
      await reader.goto('/#/home', { waitUntil: 'networkidle' })
      finished.splice(0)
      await reader.evaluate((hash) => window.location.assign(hash), `#${path}`)
      await expect(reader.locator('.masthead')).toHaveCount(0)
      await expect(reader.getByRole('heading', { level: 1 })).toBeVisible()
      await reader.waitForLoadState('networkidle')
      const sum = (await bodySizes(finished)).reduce((total, { bytes }) => total + bytes, 0)
      expect(sum, path).toBeGreaterThan(0)
      expect(sum, path).toBeLessThanOrEqual(40_000)
    }

    // A route turns the browser's cache off.
    await reader.route('**/static/**', (route) => route.continue())
    for (const path of visitorPaths) await expectSmall(path)
    await logIn(reader, await createAccount(reader))
    for (const path of memberPaths) await expectSmall(path)
  })

  test('say that the reader must wait on a slow connection, and send nothing twice', async ({ reader }) => {
    const email = await createAccount(reader)
    const sent: string[] = []
    reader.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
    })
    // Several parts of a screen may load at once.
    const loading = reader.getByText('Loading...').filter({ visible: true }).first()
    await reader.goto('/#/account/login')
    await reader.getByLabel('Email').fill(email)
    await reader.getByLabel('Password', { exact: true }).fill(password)
    const network = await reader.context().newCDPSession(reader)
    const slow3G = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
    await network.send('Network.emulateNetworkConditions', { offline: false, ...slow3G })

    async function submitTwice(): Promise<void> {
      await reader.getByRole('button', { name: 'Submit' }).dblclick()
      await expect(reader.getByText('Please wait...')).toBeVisible()
      await expect(reader.getByRole('button', { name: 'Submit' })).toHaveAttribute('aria-disabled', 'true')
    }
    await submitTwice()
    await expectCheckout(reader)
    await reader.goto('/#/account/dashboard')
    await reader.getByRole('switch', { name: 'Evening digest' }).check()
    await submitTwice()
    await expect(reader.getByText('Update succeeded')).toBeVisible()
    expect(sent).toEqual(['/auth/login', '/member/plans/create-checkout-session', '/member'])

    await reader.getByRole('link', { name: 'Gated content' }).click()
    await expect(loading).toBeVisible()
    await reader.locator('.gated-titles a').first().click()
    await expect(loading).toBeVisible()
    await reader.getByRole('link', { name: 'View memos' }).click()
    await reader.getByRole('link', { name: 'Search' }).click()
    await expect(loading).toBeVisible()
    await reader.getByRole('searchbox').fill('moon')
    await expect(loading).toBeVisible()
    await expect(reader.locator('.result').first()).toBeVisible()
  })
})
