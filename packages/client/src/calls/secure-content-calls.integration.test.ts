import { describe, expect } from 'vitest'
import { expectRefusal, it } from '../testing/guest.ts'

describe('secure content', () => {
  it('is returned to members whose plans open it', async ({ guest }) => {
    const read = (contentId: string) => guest.client.getSecureContent({ contentId })
    await expectRefusal(read('members-welcome'), { code: 'login-required', status: 401 })
    await guest.signUp()
    const { data } = await read('members-welcome')
    expect(data).toMatchObject({ type: 'HTML', content: expect.stringMatching(/\w/) })
    await expectRefusal(read('yearly-only'), { code: 'access-denied', status: 403 })
    await expectRefusal(read('none'), { code: 'content-not-found', status: 404 })
  })
})
