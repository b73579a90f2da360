import type { Page } from '@playwright/test'
import { disconnectProviderReply, logoutReply, sessionReply } from '@tidings/contracts/membership/auth'
import { currentMemberReply } from '@tidings/contracts/membership/members'
import { appReply } from '@tidings/contracts/membership/widget-config'
import { expectAccessibleEmulatorPage } from './accessible-page.ts'
import { expect, freshAddress, test } from './guest.ts'
import { connectAs, signInAs } from './identity.ts'

const provider = 'local'
const connectedReply = disconnectProviderReply

// A failing popup responds with the status of its error, which its console logs.
test.describe("a provider's account, on a page of another origin", () => {
  test('signs up with fields and plans, and logs in again', async ({ guest }) => {
    const { data: app } = await guest.call(appReply, 'getApp')
    const planId = app.plans.find(({ prices }) => prices.length === 0)?.id
    const email = freshAddress()
    const wanted = { provider, customFields: { name: 'Zoë & "Co" 100%' }, plans: [{ planId }] }
    const signedUp = guest.succeeded(
      sessionReply,
      await guest.inPopup('signupWithProvider', wanted, signInAs(email)),
    )
    expect(signedUp.data.member).toMatchObject({
      verified: true,
      auth: { email, hasPassword: false, providers: [{ provider }] },
      customFields: wanted.customFields,
      planConnections: [{ planId }],
    })
    await guest.call(logoutReply, 'logout')
    const again = await guest.inPopup('loginWithProvider', { provider }, signInAs(email))
    expect(guest.succeeded(sessionReply, again).data.member.id).toBe(signedUp.data.member.id)
    expect((await guest.call(currentMemberReply, 'getCurrentMember')).data?.auth.email).toBe(email)
    expect(await guest.changes()).toEqual([email, null, email])
  })

  test('is connected to an account and disconnected', async ({ guest }) => {
    await guest.signUp()
    const connected = await guest.inPopup('connectProvider', { provider }, async (popup) => {
      await expectAccessibleEmulatorPage(popup, /^Connect Tidings ID to g•••@guest\.example\?$/)
      await connectAs(freshAddress())(popup)
    })
    const { data, message } = guest.succeeded(connectedReply, connected)
    expect(data.providers).toEqual([{ provider }])
    expect(message).toMatch(/\w/)
    const disconnected = await guest.call(disconnectProviderReply, 'disconnectProvider', { provider })
    expect(disconnected.data.providers).toEqual([])
    await guest.refuse({ code: 'account-not-connected', status: 404 }, 'disconnectProvider', { provider })
  })

  test('reports the error code of a failed sign-in', async ({ guest, expectRefusal }) => {
    const cancel = (popup: Page) => popup.getByRole('button', { name: 'Cancel' }).click()
    for (const status of [400, 401, 404]) expectRefusal(status)
    const cancelled = guest.failed(await guest.inPopup('loginWithProvider', { provider }, cancel))
    expect(cancelled.code).toBe('account-connect-failed')
    const closed = guest.failed(
      await guest.inPopup('loginWithProvider', { provider }, (popup) => popup.close()),
    )
    expect(closed).toMatchObject({ code: 'popup-closed', status: 0 })
    const nothing = async () => {}
    const unknown = guest.failed(await guest.inPopup('loginWithProvider', { provider: 'unknown' }, nothing))
    expect(unknown.code).toBe('provider-not-found')
    const visitor = guest.failed(await guest.inPopup('connectProvider', { provider }, nothing))
    expect(visitor.code).toBe('account-connect-requires-login')
  })
})
