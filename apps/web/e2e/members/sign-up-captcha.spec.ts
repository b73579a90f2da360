import type { Page } from '@playwright/test'
import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { expect, expectCheckout, fillSignUp, submit, test } from './member.ts'

/** A service whose box is in the form; without one, a challenge opens in the page's body. */
const script = (name: string) => `
let token = ''
let count = 0
let solved
const box = document.createElement('button')
box.type = 'button'
box.textContent = 'I am human'
box.onclick = () => { token = 'token ' + ++count; solved(token) }
window.${name} = {
  ready: (callback) => callback(),
  render(place, { size, callback }) {
    solved = callback
    if (size !== 'invisible') place.append(box)
    return 0
  },
  getResponse: () => token,
  execute: () => document.body.append(box),
  reset: () => { token = '' },
  remove: () => box.remove(),
}`

/** The services, with the sources that the site's policy allows for each. */
const services = {
  hcaptcha: { global: 'hcaptcha', sources: 'https://hcaptcha.com https://*.hcaptcha.com' },
  turnstile: { global: 'turnstile', sources: 'https://challenges.cloudflare.com' },
  recaptcha: {
    global: 'grecaptcha',
    sources: 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
  },
}

/** Opens the sign-up of an app with this captcha, and collects the tokens that it sends. The first attempt fails. */
async function openSignUp(page: Page, kind: string, sources = ''): Promise<string[]> {
  const tokens: string[] = []
  await page.route('/', async (route) => {
    const response = await route.fetch()
    const headers = response.headers()
    const policy = headers['content-security-policy'] ?? ''
    headers['content-security-policy'] = policy.replaceAll(
      /(?:script|frame|style|connect)-src/g,
      (directive) => `${directive} ${sources}`,
    )
    await route.fulfill({ response, headers })
  })
  await page.route('**/app', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    const captcha = { kind, siteKey: 'site-key' }
    await route.fulfill({ response, json: { data: { ...data, captchaRequired: true, captcha } } })
  })
  await page.route('**/auth/signup', (route) => {
    tokens.push(route.request().postDataJSON().captchaToken)
    return tokens.length === 1 ? route.abort() : route.fallback()
  })
  await fillSignUp(page)
  return tokens
}

test.describe('the captcha of the sign-up screen', () => {
  for (const [kind, { global, sources }] of Object.entries(services)) {
    test(`of ${kind} is solved again after a failure`, async ({ reader, consoleErrors }) => {
      await reader.route(/hcaptcha\.com|cloudflare\.com|google\.com/, (route) =>
        route.fulfill({ contentType: 'text/javascript', body: script(global) }),
      )
      const tokens = await openSignUp(reader, kind, sources)
      const human = reader.getByRole('button', { name: 'I am human' })
      await submit(reader)
      if (kind === 'recaptcha')
        await expect(reader.getByText('Complete the security check first.')).toBeVisible()
      await human.click()
      if (kind === 'recaptcha') await submit(reader)
      await expect(reader.getByText(/We can’t reach the server/)).toBeVisible()
      if (kind !== 'hcaptcha') await human.click()
      await submit(reader)
      if (kind === 'hcaptcha') await human.click()
      await expectCheckout(reader)
      expect(tokens).toEqual(['token 1', 'token 2'])
      expect(consoleErrors.splice(0).join()).not.toContain('Content Security Policy')
    })
  }

  test('of ALTCHA asks nothing, and loads again after its code was missing', async ({
    reader,
    consoleErrors,
  }) => {
    await reader.route('**/auth/captcha/challenge', async (route) => {
      const secrets = { hmacSignatureSecret: 'one', hmacKeySignatureSecret: 'other' }
      const options = { algorithm: 'PBKDF2/SHA-256', cost: 1, counter: 3, deriveKey }
      await route.fulfill({ json: await createChallenge({ ...options, ...secrets }) })
    })
    await reader.route('**/static/js/altcha-*', (route) => route.abort())
    const tokens = await openSignUp(reader, 'altcha')
    await submit(reader)
    await expect(reader.getByText(/The security check couldn’t be loaded/)).toBeVisible()
    await reader.unroute('**/static/js/altcha-*')
    await submit(reader)
    await expect(reader.getByText(/We can’t reach the server/)).toBeVisible()
    await submit(reader)
    await expectCheckout(reader)
    expect(new Set(tokens).size).toBe(2)
    consoleErrors.ignore()
  })
})
