import { messages } from '@tidings/contracts/membership/messages'
import { describe, expect, it } from 'vitest'
import { reply, respondWith } from '../testing/fake-api.ts'
import { loggedInClient } from '../testing/test-client.ts'

const address = 'https://api.news.example/profile-images/a'
const uploaded = reply({ profileImage: address }, 'Your picture is saved.')

/** Creates a file of some size. */
function file(type: string, bytes: number): File {
  return new File([new Uint8Array(bytes)], 'ada', { type })
}

describe('updateMemberProfileImage', () => {
  it('uploads the file as a form', async () => {
    const client = await loggedInClient()
    const calls = respondWith(uploaded)
    const response = await client.updateMemberProfileImage({ profileImage: file('image/png', 4_000_000) })
    expect(response).toEqual({ data: { profileImage: address }, message: 'Your picture is saved.' })
    expect(calls[0]?.line).toBe('POST /member/profile-image')
    expect(calls[0]?.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=/)
    const form = calls[0]?.body
    const sent = form instanceof FormData ? form.get('profileImage') : null
    expect(sent).toMatchObject({ name: 'ada', type: 'image/png', size: 4_000_000 })
  })

  it.each([
    ['what is no image', file('application/pdf', 10), 'invalid-file-type', messages.notAnImage],
    ['a file without a type', file('', 10), 'invalid-file-type', messages.notAnImage],
    ['a byte too many', file('image/png', 4_000_001), 'file-size-too-large', messages.imageTooLarge],
  ])('rejects %s without sending it', async (_, profileImage, code, message) => {
    const client = await loggedInClient()
    const calls = respondWith(uploaded)
    await expect(client.updateMemberProfileImage({ profileImage })).rejects.toMatchObject({
      name: 'MembershipError',
      code,
      message,
      status: 0,
    })
    expect(calls).toEqual([])
  })
})
