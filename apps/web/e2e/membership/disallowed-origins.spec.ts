import type { Page } from '@playwright/test'
import { doneReply, sessionReply } from '@tidings/contracts/membership/auth'
import { postsReply } from '@tidings/contracts/membership/comments'
import { currentMemberReply, sessionsReply } from '@tidings/contracts/membership/members'
import { signUp } from '@tidings/contracts/membership/routes'
import { siteUnderTest } from '../site-under-test.config.ts'
import { expect, freshAddress, freshName, type Guest, test } from './guest.ts'
import { about, mailsTo, mailTo } from './inbox.ts'

const credentials = { email: 'reader@tidings.example', password: 'tidings-reader' }
const calls: [method: string, ...parameters: unknown[]][] = [
  ['getApp'],
  ['getAppAndMember'],
  ['getPlan', { planId: 'pln_none' }],
  ['loginMemberEmailPassword', credentials],
  ['getCurrentMember'],
  ['updateMember', { customFields: { name: 'Mallory' } }],
  ['getSecureContent', { contentId: 'members-welcome' }],
  ['getPosts', { channelKey: 'disallowed' }],
  ['updatePost', { postId: 'cmt_none', content: 'Disallowed' }],
  ['deleteMemberProfileImage'],
  ['exportMember'],
  ['purchasePlansWithCheckout', { priceId: 'prc_none', autoRedirect: false }],
  ['launchStripeCustomerPortal', { autoRedirect: false }],
  ['changePlan', { priceId: 'prc_none' }],
  ['previewPlanChange', { priceId: 'prc_none' }],
  ['deleteMember'],
]

test.describe('a page of an origin that is not allowed', () => {
  test('cannot make any call, even with a stolen access token', async ({
    guest,
    openGuest,
    disallowedSite,
    expectRefusal,
  }) => {
    const { token, email, member } = await guest.signUp({ customFields: { name: 'Gil' } })
    const channel = { channelKey: freshName() }
    const refused: [method: string, ...parameters: unknown[]][] = [
      ...calls,
      ['sendMemberResetPasswordEmail', { email }],
      ['createPost', { ...channel, content: 'Disallowed' }],
    ]
    const stranger = await openGuest(disallowedSite)
    await stranger.page.evaluate((stolen) => localStorage.setItem('_ms-mid', stolen), token)
    for (const [method, ...parameters] of refused) {
      expectRefusal('blocked request')
      const { code, status } = await stranger.fail(method, ...parameters)
      expect([method, code, status]).toEqual([method, 'network-error', 0])
    }
    const buffer = await stranger.page.screenshot()
    expectRefusal('blocked request')
    const picture = await stranger.failToUpload({ name: 'me.png', mimeType: 'image/png', buffer })
    expect(picture.code).toBe('network-error')
    const { data } = await guest.call(currentMemberReply, 'getCurrentMember')
    expect(data).toMatchObject({ id: member.id, customFields: { name: 'Gil' }, profileImage: null })
    expect((await guest.call(postsReply, 'getPosts', channel)).data.posts).toEqual([])
    // The only email with a code is the one that this call requests.
    await guest.call(doneReply, 'sendMemberResetPasswordEmail', { email })
    await mailTo(email, about.reset)
    const codes = (await mailsTo(email)).filter(({ text }) => text.includes(about.reset))
    expect(codes).toHaveLength(1)
  })

  test('changes nothing with requests that need no preflight', async ({
    guest,
    openGuest,
    disallowedSite,
    expectRefusal,
  }) => {
    const stranger = await openGuest(disallowedSite)
    const account = { email: freshAddress(), password: 'a long password' }
    expectRefusal(404)
    const response = await stranger.page.evaluate(
      async ([url, body]) => {
        const { type, status } = await fetch(url, {
          method: 'POST',
          mode: 'no-cors',
          credentials: 'include',
          body,
        })
        return { type, status }
      },
      [siteUnderTest.url() + signUp.path, JSON.stringify(account)] as const,
    )
    expect(response).toEqual({ type: 'opaque', status: 0 })
    // The address is still available.
    await guest.call(sessionReply, 'signupMemberEmailPassword', account)
  })

  test("gets no session from a provider's popup", async ({ guest, openGuest, disallowedSite }) => {
    const signIn = async (popup: Page) => {
      await popup.getByRole('radio', { name: 'Ada Marlow' }).check()
      await popup.getByRole('button', { name: 'Continue' }).click()
    }
    const parameters = { provider: 'local', allowSignup: true }
    guest.succeeded(sessionReply, await guest.inPopup('loginWithProvider', parameters, signIn))
    const before = (await guest.call(sessionsReply, 'listSessions')).data.length
    const stranger = await openGuest(disallowedSite)
    const outcome = await stranger.inPopup('loginWithProvider', parameters, signIn)
    expect(stranger.failed(outcome)).toMatchObject({ code: 'popup-closed' })
    expect(await stranger.changes()).toEqual([])
    // Ada did sign in there too, but the result was not delivered.
    expect((await guest.call(sessionsReply, 'listSessions')).data).toHaveLength(before + 1)
  })

  test("cannot open a channel's socket", async ({ guest, openGuest, disallowedSite, expectRefusal }) => {
    const stranger = await openGuest(disallowedSite)
    const address = new URL('/socket?channel=disallowed', siteUnderTest.url())
    address.protocol = 'ws:'
    const opensIn = ({ page }: Guest) =>
      page.evaluate(
        (url) =>
          new Promise((resolve) => {
            const socket = new WebSocket(url)
            socket.onopen = () => resolve(true)
            socket.onerror = () => resolve(false)
          }),
        address.href,
      )
    expect(await opensIn(guest)).toBe(true)
    expectRefusal('refused socket')
    expect(await opensIn(stranger)).toBe(false)
  })
})
