import type { Page } from '@playwright/test'
import { sessionReply } from '@tidings/contracts/auth'
import { currentMemberReply } from '@tidings/contracts/members'
import { siteUnderTest } from '../site-under-test.config.ts'
import { expect, freshAddress, test } from './guest.ts'

const credentials = { email: 'reader@tidings.example', password: 'tidings-reader' }
const refused: [method: string, ...parameters: unknown[]][] = [
  ['getApp'],
  ['getAppAndMember'],
  ['getPlan', { planId: 'pln_none' }],
  ['loginMemberEmailPassword', credentials],
  ['sendMemberResetPasswordEmail', credentials],
  ['getCurrentMember'],
  ['updateMember', { customFields: { name: 'Mallory' } }],
  ['getSecureContent', { contentId: 'members-welcome' }],
  ['getPosts', { channelKey: 'strange' }],
  ['createPost', { channelKey: 'strange', content: 'Strange' }],
  ['updatePost', { postId: 'cmt_none', content: 'Strange' }],
  ['deleteMemberProfileImage'],
  ['exportMember'],
  ['purchasePlansWithCheckout', { priceId: 'prc_none', autoRedirect: false }],
  ['launchStripeCustomerPortal', { autoRedirect: false }],
  ['changePlan', { priceId: 'prc_none' }],
  ['previewPlanChange', { priceId: 'prc_none' }],
  ['deleteMember'],
]

test.describe('a page of an origin that is not allowed', () => {
  test('is refused every kind of call, even with the token of a member', async ({
    guest,
    openGuest,
    strangerSite,
    expectRefusal,
  }) => {
    const { token, member } = await guest.signUp({ customFields: { name: 'Gil' } })
    const stranger = await openGuest(strangerSite)
    await stranger.page.evaluate((stolen) => localStorage.setItem('_ms-mid', stolen), token)
    for (const status of [0, 403]) expectRefusal(status)
    for (const [method, ...parameters] of refused) {
      const { code, status } = await stranger.fail(method, ...parameters)
      expect([method, code, status]).toEqual([method, 'network-error', 0])
    }
    const buffer = await stranger.page.screenshot()
    const picture = await stranger.failToUpload({ name: 'me.png', mimeType: 'image/png', buffer })
    expect(picture.code).toBe('network-error')
    const { data } = await guest.call(currentMemberReply, 'getCurrentMember')
    expect(data).toMatchObject({ id: member.id, customFields: { name: 'Gil' }, profileImage: null })
  })

  test('changes nothing by calls that browsers send unasked', async ({
    guest,
    openGuest,
    strangerSite,
    expectRefusal,
  }) => {
    const stranger = await openGuest(strangerSite)
    const account = { email: freshAddress(), password: 'a long password' }
    for (const status of [0, 400, 403, 404, 415]) expectRefusal(status)
    const answer = await stranger.page.evaluate(
      async ([url, body]) => {
        const { type, status } = await fetch(url, {
          method: 'POST',
          mode: 'no-cors',
          credentials: 'include',
          body,
        })
        return { type, status }
      },
      [`${siteUnderTest.url()}/auth/signup`, JSON.stringify(account)] as const,
    )
    expect(answer).toEqual({ type: 'opaque', status: 0 })
    // The address is still free.
    await guest.call(sessionReply, 'signupMemberEmailPassword', account)
  })

  test("gets no session out of a provider's window", async ({ openGuest, strangerSite }) => {
    const stranger = await openGuest(strangerSite)
    const signIn = async (popup: Page) => {
      await popup.getByRole('radio', { name: 'Ada Marlow' }).check()
      await popup.getByRole('button', { name: 'Continue' }).click()
    }
    const parameters = { provider: 'local', allowSignup: true }
    const outcome = await stranger.inPopup('loginWithProvider', parameters, signIn)
    expect(stranger.failed(outcome)).toMatchObject({ code: 'popup-closed' })
    expect(await stranger.changes()).toEqual([])
  })

  test("cannot listen to a channel's readers", async ({ openGuest, strangerSite, expectRefusal }) => {
    const stranger = await openGuest(strangerSite)
    for (const status of [0, 401, 403]) expectRefusal(status)
    const address = new URL('/socket?channel=strange', siteUnderTest.url())
    address.protocol = 'ws:'
    const opened = await stranger.page.evaluate(
      (url) =>
        new Promise((resolve) => {
          const socket = new WebSocket(url)
          socket.onopen = () => resolve(true)
          socket.onerror = () => resolve(false)
        }),
      address.href,
    )
    expect(opened).toBe(false)
  })
})
