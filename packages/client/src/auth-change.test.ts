import { disconnectProviderReply, doneReply, logoutReply, sessionReply } from '@tidings/contracts/auth'
import { planChangeByPriceReply } from '@tidings/contracts/billing'
import {
  currentMemberReply,
  deletedMemberReply,
  type Member,
  memberJsonReply,
  memberWithMessageReply,
  profileImageReply,
} from '@tidings/contracts/members'
import { planChangeReply } from '@tidings/contracts/plans'
import { describe, expect, it, vi } from 'vitest'
import type { MembershipClient } from './index.ts'
import { type Answer, answer, refused, reply } from './testing/fake-api.ts'
import { loggedInClient, testClient } from './testing/test-client.ts'
import { wireMember, wirePlanChange, wireSession } from './testing/wire-samples.ts'

const credentials = { email: 'ada@example.com', password: 'a password' }
const loggedIn = reply(sessionReply, wireSession(), 'You have successfully logged in.')
const loggedOut = reply(logoutReply, { redirect: null }, 'You have logged out.')
const google = [{ provider: 'google' }]

/** What a listener of the client hears from now on. */
function heardBy(client: MembershipClient): (Member | null)[] {
  const heard: (Member | null)[] = []
  client.onAuthChange((member) => heard.push(member))
  return heard
}

/** What a browser dispatches in a page when another tab has changed the storage that they share. */
function storageEvent(key: string | null): void {
  window.dispatchEvent(new StorageEvent('storage', { key }))
}

describe('onAuthChange in one tab', () => {
  it('tells of a login', async () => {
    const client = testClient()
    const heard = heardBy(client)
    answer(loggedIn)
    await client.loginMemberEmailPassword(credentials)
    expect(heard).toEqual([wireMember()])
  })

  it('tells of a sign-up', async () => {
    const client = testClient()
    const heard = heardBy(client)
    answer(reply(sessionReply, wireSession(), 'Welcome.'))
    await client.signupMemberEmailPassword(credentials)
    expect(heard).toEqual([wireMember()])
  })

  it('tells of a logout', async () => {
    const client = await loggedInClient()
    const heard = heardBy(client)
    answer(loggedOut)
    await client.logout()
    expect(heard).toEqual([null])
  })

  it('tells of a deleted account', async () => {
    const client = await loggedInClient()
    const heard = heardBy(client)
    answer(reply(deletedMemberReply, { id: 'mem_ada' }))
    await client.deleteMember()
    expect(heard).toEqual([null])
    expect(client.getMemberToken()).toBeUndefined()
  })

  it('tells of a session that the server finds ended', async () => {
    const client = await loggedInClient()
    const heard = heardBy(client)
    answer(reply(currentMemberReply, null))
    await client.getCurrentMember()
    expect(heard).toEqual([null])
  })

  it('tells of an invalid token', async () => {
    const client = await loggedInClient()
    const heard = heardBy(client)
    answer(refused(401, 'client/invalid-token', 'jwt malformed'))
    await expect(client.getMemberJSON()).rejects.toMatchObject({ code: 'client/invalid-token' })
    expect(heard).toEqual([null])
  })

  it.each<[string, (client: MembershipClient) => Promise<unknown>, Answer, Partial<Member>]>([
    [
      'updateMember',
      (client) => client.updateMember({ customFields: { name: 'Ada L.' } }),
      reply(memberWithMessageReply, wireMember({ customFields: { name: 'Ada L.' } }), 'Saved.'),
      { customFields: { name: 'Ada L.' } },
    ],
    [
      'updateMemberAuth',
      (client) => client.updateMemberAuth({ email: 'new@example.com' }),
      reply(memberWithMessageReply, wireMember({ verified: true }), 'Saved.'),
      { verified: true },
    ],
    [
      'setPassword',
      (client) => client.setPassword({ password: 'a password' }),
      reply(memberWithMessageReply, wireMember({ verified: true }), 'Saved.'),
      { verified: true },
    ],
    [
      'addPlan',
      (client) => client.addPlan({ planId: 'pln_free' }),
      reply(planChangeReply, { member: wireMember({ permissions: ['read'] }) }),
      { permissions: ['read'] },
    ],
    [
      'removePlan',
      (client) => client.removePlan({ planId: 'pln_free' }),
      reply(planChangeReply, { member: wireMember({ permissions: ['less'] }) }),
      { permissions: ['less'] },
    ],
    [
      'changePlan',
      (client) => client.changePlan({ priceId: 'prc_yearly' }),
      reply(
        planChangeByPriceReply,
        { member: wireMember({ permissions: ['yearly'] }), change: wirePlanChange },
        'Yearly has start.',
      ),
      { permissions: ['yearly'] },
    ],
    [
      'updateMemberJSON',
      (client) => client.updateMemberJSON({ json: { a: 1 } }),
      reply(memberJsonReply, { a: 1 }),
      { json: { a: 1 } },
    ],
    [
      'updateMemberProfileImage',
      (client) => client.updateMemberProfileImage({ profileImage: new Blob(['…'], { type: 'image/png' }) }),
      reply(profileImageReply, { profileImage: 'https://api.news.example/profile-images/a' }, 'Saved.'),
      { profileImage: 'https://api.news.example/profile-images/a' },
    ],
    [
      'disconnectProvider',
      (client) => client.disconnectProvider({ provider: 'github' }),
      reply(disconnectProviderReply, { providers: google }, 'Disconnected.'),
      { auth: { email: 'ada@example.com', hasPassword: true, providers: google } },
    ],
    [
      'verifyMemberEmail',
      (client) => client.verifyMemberEmail({ email: ' Ada@Example.com', code: '123456' }),
      reply(doneReply, { success: true }, 'Verified.'),
      { verified: true },
    ],
  ])('tells of what %s changed', async (_, act, answered, changed) => {
    const client = await loggedInClient()
    const heard = heardBy(client)
    answer(answered)
    await act(client)
    expect(heard).toEqual([wireMember(changed)])
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(wireMember(changed))
  })

  it('says nothing of somebody else’s verified address', async () => {
    const client = await loggedInClient()
    const heard = heardBy(client)
    answer(reply(doneReply, { success: true }, 'Verified.'))
    await client.verifyMemberEmail({ email: 'bea@example.com', code: '123456' })
    expect(heard).toEqual([])
  })

  it('says nothing while the member stays the same', async () => {
    const client = await loggedInClient()
    const heard = heardBy(client)
    answer(reply(currentMemberReply, wireMember()))
    await client.getCurrentMember()
    answer(reply(memberWithMessageReply, wireMember(), 'Saved.'))
    await client.updateMember({ customFields: {} })
    expect(heard).toEqual([])
  })

  it('says nothing of what a visitor finds out', async () => {
    const client = testClient()
    const heard = heardBy(client)
    await client.getCurrentMember()
    answer(refused(401, 'invalid-credentials', 'Wrong e-mail or password.'))
    await expect(client.loginMemberEmailPassword(credentials)).rejects.toMatchObject({
      code: 'invalid-credentials',
    })
    expect(heard).toEqual([])
  })

  it('says nothing to who no longer listens', async () => {
    const client = testClient()
    const callback = vi.fn<() => void>()
    const other = heardBy(client)
    client.onAuthChange(callback).unsubscribe()
    answer(loggedIn)
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
    answer(loggedIn)
    await client.loginMemberEmailPassword(credentials)
    expect(heard).toEqual([wireMember()])
    expect(reported.mock.calls[0]?.[0]).toMatchObject({ message: 'The page’s own fault' })
  })
})

describe('onAuthChange across tabs with local storage', () => {
  it('tells of a login in another tab, once', async () => {
    const heard = heardBy(testClient())
    await loggedInClient()
    storageEvent('_ms-mid')
    storageEvent('_ms-mem')
    expect(heard).toEqual([wireMember()])
  })

  it('tells of a logout in another tab, once', async () => {
    const other = await loggedInClient()
    const heard = heardBy(testClient())
    answer(loggedOut)
    await other.logout()
    storageEvent('_ms-mid')
    storageEvent('_ms-mem')
    expect(heard).toEqual([null])
  })

  it('tells of a member that another tab changed', async () => {
    const other = await loggedInClient()
    const heard = heardBy(testClient())
    answer(reply(memberWithMessageReply, wireMember({ verified: true }), 'Saved.'))
    await other.updateMember({ customFields: {} })
    storageEvent('_ms-mem')
    expect(heard).toEqual([wireMember({ verified: true })])
  })

  it('tells when the whole storage is cleared', async () => {
    await loggedInClient()
    const heard = heardBy(testClient())
    window.localStorage.clear()
    storageEvent(null)
    expect(heard).toEqual([null])
  })

  it('says nothing of other keys', async () => {
    const heard = heardBy(testClient())
    await loggedInClient()
    storageEvent('theme')
    expect(heard).toEqual([])
  })

  it('says nothing after destroy', async () => {
    const client = testClient()
    const heard = heardBy(client)
    client.destroy()
    await loggedInClient()
    storageEvent('_ms-mid')
    expect(heard).toEqual([])
  })
})

describe('onAuthChange across tabs with cookies', () => {
  /** The next thing that a listener of the client hears. */
  const nextHeardBy = (client: MembershipClient) =>
    new Promise<Member | null>((resolve) => {
      const { unsubscribe } = client.onAuthChange((member) => {
        unsubscribe()
        resolve(member)
      })
    })

  it('tells of login, change and logout in another tab', async () => {
    const client = testClient({ useCookies: true })
    const login = nextHeardBy(client)
    const other = await loggedInClient({ useCookies: true })
    expect(await login).toEqual(wireMember())

    const change = nextHeardBy(client)
    answer(reply(memberWithMessageReply, wireMember({ verified: true }), 'Saved.'))
    await other.updateMember({ customFields: {} })
    expect(await change).toEqual(wireMember({ verified: true }))

    const logout = nextHeardBy(client)
    answer(loggedOut)
    await other.logout()
    expect(await logout).toBeNull()
    expect(client.getMemberToken()).toBeUndefined()
  })
})
