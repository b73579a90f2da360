import { sessionReply } from '@tidings/contracts/membership/auth'
import {
  currentMemberReply,
  deletedMemberReply,
  endedSessionReply,
  memberExportReply,
  memberJsonReply,
  memberWithMessageReply,
  profileImageReply,
  sessionsReply,
} from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import { planChangeReply } from '@tidings/contracts/membership/plans'
import { secureContentReply } from '@tidings/contracts/membership/secure-content'
import { appReply } from '@tidings/contracts/membership/widget-config'
import { expect, type Guest, test } from './guest.ts'

async function planOf(guest: Guest, kind: 'free' | 'paid') {
  const { data } = await guest.call(appReply, 'getApp')
  const plan = data.plans.find(({ prices }) => (kind === 'free') === (prices.length === 0))
  if (plan === undefined) throw new Error(`The app has no ${kind} plan`)
  return plan
}

const loginRequired = { code: 'login-required', status: 401 } as const

test.describe('a member, on a page of another origin', () => {
  test('updates the custom fields that the app defines', async ({ guest }) => {
    await guest.signUp({ customFields: { name: 'Gil' } })
    const customFields = { phone: '+1 213 555 0100', unknown: 'x' }
    const { data, message } = await guest.call(memberWithMessageReply, 'updateMember', { customFields })
    expect(data.customFields).toEqual({ name: 'Gil', phone: '+1 213 555 0100' })
    expect(message).toMatch(/\w/)
    const tooLong = { customFields: { name: 'x'.repeat(100_000) } }
    await guest.refuse({ code: 'invalid-request', status: 400 }, 'updateMember', tooLong)
  })

  test('stores a JSON object', async ({ guest }) => {
    await guest.refuse(loginRequired, 'getMemberJSON')
    await guest.signUp()
    const json = { theme: 'dark', read: [1, { of: null }] }
    await guest.call(memberJsonReply, 'updateMemberJSON', { json })
    expect((await guest.call(memberJsonReply, 'getMemberJSON')).data).toEqual(json)
  })

  test('uploads and removes a profile image', async ({ guest }) => {
    await guest.signUp()
    const buffer = await guest.page.screenshot()
    const file = { name: 'me.png', mimeType: 'image/png', buffer }
    const { data, message } = await guest.uploadPicture(profileImageReply, file)
    expect(message).toMatch(/\w/)
    const width = await guest.page.evaluate(async (address) => {
      const image = new Image()
      image.src = address
      await image.decode()
      return image.naturalWidth
    }, data.profileImage ?? '')
    expect(width).toBeGreaterThan(0)
    const { data: member } = await guest.call(currentMemberReply, 'getCurrentMember')
    expect(member?.profileImage).toBe(data.profileImage)
    const removed = await guest.call(profileImageReply, 'deleteMemberProfileImage')
    expect(removed.data.profileImage).toBeNull()
  })

  test('cannot upload a file that is not an image, whatever its type claims', async ({ guest }) => {
    await guest.signUp()
    const text = { name: 'me.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }
    const asText = await guest.failToUpload(text)
    expect(asText).toMatchObject({ code: 'invalid-file-type', status: 0, message: messages.notAnImage })
    const asPicture = await guest.failToUpload({ ...text, mimeType: 'image/png' })
    expect(asPicture).toMatchObject({ code: 'invalid-file-type', status: 400, message: messages.notAnImage })
    const large = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.alloc(4_000_001) }
    expect(await guest.failToUpload(large)).toMatchObject({
      code: 'file-size-too-large',
      message: messages.imageTooLarge,
    })
  })

  test('adds and removes a free plan, but not a paid one', async ({ guest }) => {
    await guest.signUp()
    const { id: planId } = await planOf(guest, 'free')
    const paid = await planOf(guest, 'paid')
    const { data: added } = await guest.call(planChangeReply, 'addPlan', { planId })
    expect(added.member.planConnections).toMatchObject([{ planId, type: 'FREE', active: true }])
    await guest.refuse({ code: 'already-have-plan', status: 409 }, 'addPlan', { planId })
    const { data: removed } = await guest.call(planChangeReply, 'removePlan', { planId })
    expect(removed.member.planConnections.filter(({ active }) => active)).toEqual([])
    await guest.refuse({ code: 'no-plan-found', status: 404 }, 'removePlan', { planId })
    await guest.refuse({ code: 'plan-not-free', status: 400 }, 'addPlan', { planId: paid.id })
  })

  test('signs up with a free plan, but not with a paid one', async ({ guest }) => {
    const { id: planId } = await planOf(guest, 'free')
    const { member } = await guest.signUp({ plans: [{ planId }] })
    expect(member.planConnections).toMatchObject([{ planId, active: true, payment: null }])
    const paid = await planOf(guest, 'paid')
    const attempt = { email: 'paid@guest.example', password: 'a long password', plans: [{ planId: paid.id }] }
    await guest.refuse({ code: 'plan-not-free', status: 400 }, 'signupMemberEmailPassword', attempt)
  })

  test('reads the secure content that its plans open', async ({ guest }) => {
    const welcome = { contentId: 'members-welcome' }
    await guest.refuse(loginRequired, 'getSecureContent', welcome)
    await guest.signUp()
    const { data } = await guest.call(secureContentReply, 'getSecureContent', welcome)
    expect(data).toMatchObject({ type: 'HTML', content: expect.stringMatching(/\w/) })
    await guest.refuse({ code: 'access-denied', status: 403 }, 'getSecureContent', {
      contentId: 'yearly-only',
    })
    await guest.refuse({ code: 'content-not-found', status: 404 }, 'getSecureContent', { contentId: 'none' })
  })

  test('lists its sessions and ends another one', async ({ guest, openGuest }) => {
    const { email, password } = await guest.signUp()
    const elsewhere = await openGuest({ inAnotherBrowser: true })
    await elsewhere.call(sessionReply, 'loginMemberEmailPassword', { email, password })
    const { data: sessions } = await guest.call(sessionsReply, 'listSessions')
    expect(sessions.map(({ current }) => current)).toEqual([false, true])
    const other = sessions.find(({ current }) => !current)
    await guest.call(endedSessionReply, 'endSession', { sessionId: other?.id })
    await guest.refuse({ code: 'session-not-found', status: 404 }, 'endSession', { sessionId: other?.id })
    expect((await elsewhere.call(currentMemberReply, 'getCurrentMember')).data).toBeNull()
  })

  test('exports all of its data', async ({ guest }) => {
    const { member } = await guest.signUp({ customFields: { name: 'Gil' } })
    const { data } = await guest.call(memberExportReply, 'exportMember')
    expect(data.member).toMatchObject({ id: member.id, customFields: { name: 'Gil' } })
  })

  test('deletes its account', async ({ guest }) => {
    const { email, password, member } = await guest.signUp()
    const { data } = await guest.call(deletedMemberReply, 'deleteMember')
    expect(data).toEqual({ id: member.id })
    expect(await guest.changes()).toEqual([email, null])
    const credentials = { email, password }
    await guest.refuse({ code: 'invalid-credentials', status: 401 }, 'loginMemberEmailPassword', credentials)
    await guest.refuse(loginRequired, 'deleteMember')
  })
})
