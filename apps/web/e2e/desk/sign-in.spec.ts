import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../accessibility.ts'
import { mailTo } from '../membership/inbox.ts'
import { expect, test } from '../reader.ts'
import { addAuthenticator, linkIn, owner } from './desk-page.ts'

/** A page of the site that may call the desk. */
const openPage = '/docs'

/** Calls the desk as its pages do. Returns the status and the data of the reply. */
async function callDesk(page: Page, method: string, path: string, body?: object) {
  return await page.evaluate(
    async ({ method, path, body }) => {
      const reply = await fetch(`/desk/v1${path}`, {
        method,
        headers: { 'x-desk': '1', ...(body === null ? {} : { 'content-type': 'application/json' }) },
        ...(body === null ? {} : { body: JSON.stringify(body) }),
      })
      const { data } = await reply.json()
      return { status: reply.status, data }
    },
    { method, path, body: body ?? null },
  )
}

/** Signs in with a passkey of the authenticator. */
async function signInWithPasskey(page: Page): Promise<{ status: number; data: { email: string } }> {
  const { data: options } = await callDesk(page, 'POST', '/sign-in/options')
  const response = await page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json)
    const credential = await navigator.credentials.get({ publicKey })
    if (!(credential instanceof PublicKeyCredential)) throw new Error('There is no passkey')
    const { id, rawId, type, response } = credential.toJSON()
    if (!('signature' in response)) throw new Error('The passkey signed nothing')
    const { clientDataJSON, authenticatorData, signature } = response
    return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature } }
  }, options)
  return await callDesk(page, 'POST', '/sign-in', { response })
}

test.describe('the desk', () => {
  test('is entered by a link in an email, and then by the passkey of an invitation', async ({
    page,
    consoleErrors,
  }) => {
    // The browser reports the requests of those who are signed out, and of what has ended.
    consoleErrors.ignore()
    await addAuthenticator(page)
    await page.goto(openPage)
    await callDesk(page, 'POST', '/sign-in-links', { email: owner })
    await page.goto(linkIn((await mailTo(owner, 'signs you in')).text))
    await expect(page.getByText(`as ${owner}`)).toBeVisible()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/\/desk\/?$/)
    await page.goto('/desk/you')
    const here = page.getByRole('listitem').filter({ hasText: 'This device' })
    await expect(here).toContainText(/^(Chrome|Safari) on \w+/)
    await page.goto(openPage)

    const email = 'wanda@example.com'
    const invited = await callDesk(page, 'POST', '/invitations', { email, roles: ['writer'] })
    expect(invited.status).toBe(201)
    await page.goto(linkIn((await mailTo(email, 'invites you')).text))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/ invites you$/)
    await expect(page.getByText('Writer: write and say “ready”')).toBeVisible()
    await expect(page.getByText(email)).toBeVisible()
    expect(await accessibilityViolations(page)).toEqual([])
    const invitation = page.url()
    await page.getByLabel('Your name').fill('Wanda Writer')
    await page.getByRole('button', { name: 'Create a passkey and start' }).click()
    await page.waitForURL(/\/desk\/?$/)
    await page.goto(invitation)
    await expect(page.getByText(/^This invitation has ended\. Ask .+ for a new one\.$/)).toBeVisible()
    await page.goto(openPage)

    expect((await callDesk(page, 'GET', '/you')).data).toMatchObject({ name: 'Wanda Writer', email })
    await callDesk(page, 'POST', '/sign-out')
    expect((await callDesk(page, 'GET', '/you')).status).toBe(401)
    expect(await signInWithPasskey(page)).toMatchObject({ status: 200, data: { email } })
  })
})
