import { logoutReply } from '@tidings/contracts/membership/auth'
import { currentMemberReply } from '@tidings/contracts/membership/members'
import { expect, test } from './guest.ts'

for (const { place, search } of [
  { place: 'local storage', search: '' },
  { place: 'a cookie', search: '?cookies' },
]) {
  test.describe(`a session in ${place} on a page of another origin`, () => {
    test('is stored there only, survives a reload and is shared by tabs', async ({ openGuest }) => {
      const first = await openGuest({ search })
      const { email, token } = await first.signUp()
      const stored = await first.page.evaluate(() => localStorage.getItem('_ms-mid'))
      const cookies = await first.page.context().cookies(first.page.url())
      const cookie = cookies.find(({ name }) => name === '_ms-mid')
      expect([stored, cookie?.value]).toEqual(search === '' ? [token, undefined] : [null, token])
      if (cookie !== undefined) expect(cookie).toMatchObject({ sameSite: 'Strict', path: '/' })

      await first.page.reload()
      for (const tab of [first, await openGuest({ search })]) {
        const { data } = await tab.call(currentMemberReply, 'getCurrentMember')
        expect(data?.auth.email).toBe(email)
      }
    })

    test('starts and ends in every tab when one logs in and out', async ({ openGuest }) => {
      const [first, second] = [await openGuest({ search }), await openGuest({ search })]
      const { email } = await first.signUp()
      await expect.poll(() => second.changes()).toEqual([email])
      await first.call(logoutReply, 'logout')
      await expect.poll(() => second.changes()).toEqual([email, null])
      expect((await second.call(currentMemberReply, 'getCurrentMember', { useCache: true })).data).toBeNull()
      expect(await first.changes()).toEqual([email, null])
    })
  })
}
