import type { CDPSession, Page } from '@playwright/test'
import { mailTo } from '../membership/inbox.ts'
import { expect, test } from '../reader.ts'

/** A page of the site that may call the desk. */
const openPage = '/docs'
const owner = 'owner@tidings.example'

/** Gives the browser an authenticator that verifies the person, as a phone or laptop has one. */
async function addAuthenticator(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return session
}

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

function linkIn(text: string): string {
  const link = /\bhttps?:\/\/\S+\/desk\/\S+/.exec(text)?.[0]
  if (link === undefined) throw new Error(`There is no link in: ${text}`)
  return link
}

test.describe('the desk', () => {
  test('is entered by a link in an email, and then by the passkey of an invitation', async ({
    page,
    consoleErrors,
  }) => {
    // The desk's own page comes later.
    consoleErrors.ignore()
    await addAuthenticator(page)
    await page.goto(openPage)
    await callDesk(page, 'POST', '/sign-in-links', { email: owner })
    await page.goto(linkIn((await mailTo(owner, 'signs you in')).text))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('heading')).toHaveText('You’re signed in')
    await page.goto(openPage)

    const email = 'wanda@example.com'
    const invited = await callDesk(page, 'POST', '/invitations', { email, roles: ['writer'] })
    expect(invited.status).toBe(201)
    await page.goto(linkIn((await mailTo(email, 'invites you')).text))
    await page.getByLabel('Your name').fill('Wanda Writer')
    await page.getByRole('button', { name: 'Create a passkey and start' }).click()
    await page.waitForURL(/\/desk$/)
    await page.goto(openPage)

    expect((await callDesk(page, 'GET', '/you')).data).toMatchObject({ name: 'Wanda Writer', email })
    await callDesk(page, 'POST', '/sign-out')
    expect((await callDesk(page, 'GET', '/you')).status).toBe(401)
    expect(await signInWithPasskey(page)).toMatchObject({ status: 200, data: { email } })
  })
})
