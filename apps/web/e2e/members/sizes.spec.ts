import { createAccount, expect, expectCheckout, fillLogin, logIn, test } from './member.ts'

const visitorPaths = ['/account/login', '/account/signup', '/resetpassword']
const memberPaths = ['/account/dashboard', '/account/change-plan', '/changepassword', '/archive', '/gated']

test.describe('the account screens', () => {
  test('add at most 40 kB each to a visit', async ({ reader }) => {
    const sizes: Promise<number>[] = []
    reader.on('requestfinished', (request) => {
      if (new URL(request.url()).pathname.startsWith('/static/'))
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    })

    async function expectSmall(path: string): Promise<void> {
      // Every screen is measured as if it was the only one that the reader opens.
      await reader.goto('about:blank')
      await reader.goto('/#/home', { waitUntil: 'networkidle' })
      sizes.splice(0)
      await reader.evaluate((hash) => window.location.assign(hash), `#${path}`)
      await expect(reader).toHaveURL(new RegExp(`#${path}`))
      await expect(reader.getByRole('heading', { level: 1 })).toBeVisible()
      await reader.waitForLoadState('networkidle')
      const sum = (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
      expect(sum, path).toBeLessThanOrEqual(40_000)
    }

    // A route turns the browser's cache off.
    await reader.route('**/static/**', (route) => route.continue())
    for (const path of visitorPaths) await expectSmall(path)
    await logIn(reader, await createAccount(reader))
    for (const path of memberPaths) await expectSmall(path)
  })

  test('say that the reader must wait on a slow connection', async ({ reader }) => {
    const email = await createAccount(reader)
    await reader.goto('/#/account/login')
    const network = await reader.context().newCDPSession(reader)
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 2000,
      downloadThroughput: 50_000,
      uploadThroughput: 50_000,
    })
    await fillLogin(reader, email)
    await expect(reader.getByText('Please wait...')).toBeVisible()
    await expect(reader.getByRole('button', { name: 'Submit' })).toHaveAttribute('aria-disabled', 'true')
    await expectCheckout(reader)
  })
})
