import type { Member } from '@tidings/contracts/membership/members'
import { describe, expect, it, vi } from 'vitest'
import type { MembershipClient } from '../index.ts'
import { type MockResponse, refused, reply, respondWith } from '../testing/fake-api.ts'
import { loggedInClient, testClient } from '../testing/test-client.ts'
import { wireMember, wirePlanChange, wireSession } from '../testing/wire-samples.ts'

const credentials = { email: 'ada@example.com', password: 'a password' }
const loggedIn = reply(wireSession(), 'You have successfully logged in.')
const loggedOut = reply({ redirect: null }, 'You have logged out.')
const google = [{ provider: 'google' }]

/** Collects the calls of a listener. */
function heardBy(client: MembershipClient): (Member | null)[] {
  const heard: (Member | null)[] = []
  client.onAuthChange((member) => heard.push(member))
  return heard
}

/** Dispatches the storage event of a change in another tab. */
function storageEvent(key: string | null): void {
  window.dispatchEvent(new StorageEvent('storage', { key }))
}

describe('onAuthChange in one tab', () => {
  it('calls back after a login', async () => {
    const client = testClient()
    const heard = heardBy(client)
    respondWith(loggedIn)
    await client.loginMemberEmailPassword(credentials)
    expect(heard).toEqual([wireMember()])
  })

  it('calls back after a sign-up', async () => {
    const client = testClient()
    const heard = heardBy(client)
    respondWith(reply(wireSession(), 'Welcome.'))
    await client.signupMemberEmailPassword(credentials)
    expect(heard).toEqual([wireMember()])
  })

  it('calls back after a logout', async () => {
    const client = await loggedInClient()
    const heard = heardBy(client)
    respondWith(loggedOut)
    await client.logout()
    expect(heard).toEqual([null])
  })

  it('calls back after the deletion of the account', async () => {
    const client = await loggedInClient()
    const heard = heardBy(client)
    respondWith(reply({ id: 'mem_ada' }))
    await client.deleteMember()
    expect(heard).toEqual([null])
    expect(client.getMemberToken()).toBeUndefined()
  })

  it('calls back when the session has ended', async () => {
    const client = await loggedInClient()
    const heard = heardBy(client)
    respondWith(reply(null))
    await client.getCurrentMember()
    expect(heard).toEqual([null])
  })

  it('calls back after an invalid token', async () => {
    const client = await loggedInClient()
    const heard = heardBy(client)
    respondWith(refused(401, 'client/invalid-token', 'jwt malformed'))
    await expect(client.getMemberJSON()).rejects.toMatchObject({ code: 'client/invalid-token' })
    expect(heard).toEqual([null])
  })

  it.each<[string, (client: MembershipClient) => Promise<unknown>, MockResponse, Partial<Member>]>([
    [
      'updateMember',
      (client) => client.updateMember({ customFields: { name: 'Ada L.' } }),
      reply(wireMember({ customFields: { name: 'Ada L.' } }), 'Saved.'),
      { customFields: { name: 'Ada L.' } },
    ],
    [
      'updateMemberAuth',
      (client) => client.updateMemberAuth({ email: 'new@example.com' }),
      reply(wireMember({ verified: true }), 'Saved.'),
      { verified: true },
    ],
    [
      'setPassword',
      (client) => client.setPassword({ password: 'a password' }),
      reply(wireMember({ verified: true }), 'Saved.'),
      { verified: true },
    ],
    [
      'addPlan',
      (client) => client.addPlan({ planId: 'pln_free' }),
      reply({ member: wireMember({ permissions: ['read'] }) }),
      { permissions: ['read'] },
    ],
    [
      'removePlan',
      (client) => client.removePlan({ planId: 'pln_free' }),
      reply({ member: wireMember({ permissions: ['less'] }) }),
      { permissions: ['less'] },
    ],
    [
      'changePlan',
      (client) => client.changePlan({ priceId: 'prc_yearly' }),
      reply({ member: wireMember({ permissions: ['yearly'] }), change: wirePlanChange }, 'Yearly has start.'),
      { permissions: ['yearly'] },
    ],
    [
      'updateMemberJSON',
      (client) => client.updateMemberJSON({ json: { a: 1 } }),
      reply({ a: 1 }),
      { json: { a: 1 } },
    ],
    [
      'updateMemberProfileImage',
      (client) => client.updateMemberProfileImage({ profileImage: new Blob(['…'], { type: 'image/png' }) }),
      reply({ profileImage: 'https://api.news.example/profile-images/a' }, 'Saved.'),
      { profileImage: 'https://api.news.example/profile-images/a' },
    ],
    [
      'disconnectProvider',
      (client) => client.disconnectProvider({ provider: 'github' }),
      reply({ providers: google }, 'Disconnected.'),
      { auth: { email: 'ada@example.com', hasPassword: true, providers: google } },
    ],
    [
      'verifyMemberEmail',
      (client) => client.verifyMemberEmail({ email: ' Ada@Example.com', code: '123456' }),
      reply({ success: true }, 'Verified.'),
      { verified: true },
    ],
  ])('calls back after a change by %s', async (_, act, response, changed) => {
    const client = await loggedInClient()
    const heard = heardBy(client)
    respondWith(response)
    await act(client)
    expect(heard).toEqual([wireMember(changed)])
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(wireMember(changed))
  })

  it('does not call back when another address is verified', async () => {
    const client = await loggedInClient()
    const heard = heardBy(client)
    respondWith(reply({ success: true }, 'Verified.'))
    await client.verifyMemberEmail({ email: 'bea@example.com', code: '123456' })
    expect(heard).toEqual([])
  })

  it('does not call back while the member stays the same', async () => {
    const client = await loggedInClient()
    const heard = heardBy(client)
    respondWith(reply(wireMember()))
    await client.getCurrentMember()
    respondWith(reply(wireMember(), 'Saved.'))
    await client.updateMember({ customFields: {} })
    expect(heard).toEqual([])
  })

  it('does not call back after calls of a visitor', async () => {
    const client = testClient()
    const heard = heardBy(client)
    await client.getCurrentMember()
    respondWith(refused(401, 'invalid-credentials', 'Wrong e-mail or password.'))
    await expect(client.loginMemberEmailPassword(credentials)).rejects.toMatchObject({
      code: 'invalid-credentials',
    })
    expect(heard).toEqual([])
  })

  it('does not call back after unsubscribing', async () => {
    const client = testClient()
    const callback = vi.fn<() => void>()
    const other = heardBy(client)
    client.onAuthChange(callback).unsubscribe()
    respondWith(loggedIn)
    await client.loginMemberEmailPassword(credentials)
    expect(callback).not.toHaveBeenCalled()
    expect(other).toEqual([wireMember()])
  })

  it('keeps the login and the other listeners when a listener fails', async () => {
    const reported = vi.fn<(error: unknown) => void>()
    vi.stubGlobal('reportError', reported)
    const client = testClient()
    client.onAuthChange(() => {
      throw new Error('The page’s own fault')
    })
    const heard = heardBy(client)
    respondWith(loggedIn)
    await client.loginMemberEmailPassword(credentials)
    expect(heard).toEqual([wireMember()])
    expect(reported.mock.calls[0]?.[0]).toMatchObject({ message: 'The page’s own fault' })
  })
})

describe('onAuthChange across tabs with local storage', () => {
  it('calls back once after a login in another tab', async () => {
    const heard = heardBy(testClient())
    await loggedInClient()
    storageEvent('_ms-mid')
    storageEvent('_ms-mem')
    expect(heard).toEqual([wireMember()])
  })

  it('calls back once after a logout in another tab', async () => {
    const other = await loggedInClient()
    const heard = heardBy(testClient())
    respondWith(loggedOut)
    await other.logout()
    storageEvent('_ms-mid')
    storageEvent('_ms-mem')
    expect(heard).toEqual([null])
  })

  it('calls back after a change in another tab', async () => {
    const other = await loggedInClient()
    const heard = heardBy(testClient())
    respondWith(reply(wireMember({ verified: true }), 'Saved.'))
    await other.updateMember({ customFields: {} })
    storageEvent('_ms-mem')
    expect(heard).toEqual([wireMember({ verified: true })])
  })

  it('calls back when the storage is cleared', async () => {
    await loggedInClient()
    const heard = heardBy(testClient())
    window.localStorage.clear()
    storageEvent(null)
    expect(heard).toEqual([null])
  })

  it('ignores other keys', async () => {
    const heard = heardBy(testClient())
    await loggedInClient()
    storageEvent('theme')
    expect(heard).toEqual([])
  })

  it('does not call back after destroy', async () => {
    const client = testClient()
    const heard = heardBy(client)
    client.destroy()
    await loggedInClient()
    storageEvent('_ms-mid')
    expect(heard).toEqual([])
  })
})

describe('onAuthChange across tabs with cookies', () => {
  /** Returns the next call of a listener. */
  const nextHeardBy = (client: MembershipClient) =>
    new Promise<Member | null>((resolve) => {
      const { unsubscribe } = client.onAuthChange((member) => {
        unsubscribe()
        resolve(member)
      })
    })

  it('calls back after login, change and logout in another tab', async () => {
    const client = testClient({ useCookies: true })
    const login = nextHeardBy(client)
    const other = await loggedInClient({ useCookies: true })
    expect(await login).toEqual(wireMember())

    const change = nextHeardBy(client)
    respondWith(reply(wireMember({ verified: true }), 'Saved.'))
    await other.updateMember({ customFields: {} })
    expect(await change).toEqual(wireMember({ verified: true }))

    const logout = nextHeardBy(client)
    respondWith(loggedOut)
    await other.logout()
    expect(await logout).toBeNull()
    expect(client.getMemberToken()).toBeUndefined()
  })
})
