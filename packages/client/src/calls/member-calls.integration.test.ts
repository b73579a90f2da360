import { messages } from '@tidings/contracts/membership/messages'
import { describe, expect } from 'vitest'
import { createGuest, expectRefusal, it } from '../testing/guest.ts'

const loginRequired = { code: 'login-required', status: 401 }
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const png = { type: 'image/png' }

describe('a member', () => {
  it('updates the custom fields that the app defines', async ({ guest }) => {
    await guest.signUp({ customFields: { name: 'Gil' } })
    const customFields = { phone: '+1 213 555 0100', unknown: 'x' }
    const { data, message } = await guest.client.updateMember({ customFields })
    expect(data.customFields).toEqual({ name: 'Gil', phone: '+1 213 555 0100' })
    expect(message).toMatch(/\w/)
    const tooLong = guest.client.updateMember({ customFields: { name: 'x'.repeat(100_000) } })
    await expectRefusal(tooLong, { code: 'invalid-request', status: 400 })
  })

  it('stores a JSON object', async ({ guest }) => {
    await expectRefusal(guest.client.getMemberJSON(), loginRequired)
    await guest.signUp()
    const json = { theme: 'dark', read: [1, { of: null }] }
    await guest.client.updateMemberJSON({ json })
    expect((await guest.client.getMemberJSON()).data).toEqual(json)
  })

  it('uploads and removes a profile image', async ({ guest }) => {
    await guest.signUp()
    const profileImage = new Blob([Buffer.from(onePixel, 'base64')], png)
    const { data, message } = await guest.client.updateMemberProfileImage({ profileImage })
    expect(message).toMatch(/\w/)
    expect((await guest.member())?.profileImage).toBe(data.profileImage)
    const removed = await guest.client.deleteMemberProfileImage()
    expect(removed.data.profileImage).toBeNull()
  })

  it('cannot upload a file that is not an image, whatever its type claims', async ({ guest }) => {
    await guest.signUp()
    const upload = (profileImage: Blob) => guest.client.updateMemberProfileImage({ profileImage })
    const notAnImage = { code: 'invalid-file-type', message: messages.notAnImage }
    await expect(upload(new Blob(['hello'], { type: 'text/plain' }))).rejects.toMatchObject({
      ...notAnImage,
      status: 0,
    })
    await expect(upload(new Blob(['hello'], png))).rejects.toMatchObject({ ...notAnImage, status: 400 })
    await expect(upload(new Blob([Buffer.alloc(4_000_001)], png))).rejects.toMatchObject({
      code: 'file-size-too-large',
      message: messages.imageTooLarge,
    })
  })

  it('lists its sessions and ends another one', async ({ guest }) => {
    const { email, password } = await guest.signUp()
    const elsewhere = createGuest()
    await elsewhere.client.loginMemberEmailPassword({ email, password })
    const { data: sessions } = await guest.client.listSessions()
    expect(sessions.map(({ current }) => current)).toEqual([false, true])
    const sessionId = sessions.find(({ current }) => !current)?.id ?? ''
    await guest.client.endSession({ sessionId })
    const again = guest.client.endSession({ sessionId })
    await expectRefusal(again, { code: 'session-not-found', status: 404 })
    expect(await elsewhere.member()).toBeNull()
  })

  it('exports all of its data', async ({ guest }) => {
    const { member } = await guest.signUp({ customFields: { name: 'Gil' } })
    const { data } = await guest.client.exportMember()
    expect(data.member).toMatchObject({ id: member.id, customFields: { name: 'Gil' } })
  })

  it('deletes its account', async ({ guest }) => {
    const { email, password, member } = await guest.signUp()
    expect((await guest.client.deleteMember()).data).toEqual({ id: member.id })
    expect(guest.changes).toEqual([email, null])
    const login = guest.client.loginMemberEmailPassword({ email, password })
    await expectRefusal(login, { code: 'invalid-credentials', status: 401 })
    await expectRefusal(guest.client.deleteMember(), loginRequired)
  })
})
