import { HttpResponse } from 'msw/http'
import { describe, expect, it } from 'vitest'
import { held, type MockResponse, refused, reply, respondWith } from '../testing/fake-api.ts'
import { loggedInClient, testClient } from '../testing/test-client.ts'
import { wireApp, wireMember, wireSession } from '../testing/wire-samples.ts'

const credentials = { email: 'ada@example.com', password: 'a password' }
const ada = wireMember()
const bea = wireMember({ id: 'mem_bea' })
const memberIs = (member: unknown) => reply(member)
const loginOf = (token: string, id: string) => reply(wireSession(token, { id }), 'Hello.')
const loggedOut = reply({ redirect: null }, 'You have logged out.')

/** A delayed response, and when its request arrived. */
function heldAndAsked(later: MockResponse) {
  const { response: wait, release } = held(later)
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const respondLater: MockResponse = (request) => {
    resolve()
    return wait(request)
  }
  return { response: respondLater, asked, release }
}

describe('getCurrentMember', () => {
  it('reads the member from the server', async () => {
    const client = await loggedInClient()
    const calls = respondWith(memberIs(wireMember({ verified: true })))
    expect(await client.getCurrentMember()).toEqual({ data: wireMember({ verified: true }) })
    expect(calls.map(({ line }) => line)).toEqual(['GET /member'])
  })

  it('returns null for a visitor without a request, and removes a cached member', async () => {
    window.localStorage.setItem('_ms-mem', JSON.stringify(ada))
    expect(await testClient().getCurrentMember({ useCache: true })).toEqual({ data: null })
    expect(window.localStorage.getItem('_ms-mem')).toBeNull()
  })

  it('ends the session when the server does not know it', async () => {
    const client = await loggedInClient()
    respondWith(memberIs(null))
    expect(await client.getCurrentMember()).toEqual({ data: null })
    expect(client.getMemberToken()).toBeUndefined()
    expect(window.localStorage.getItem('_ms-mem')).toBeNull()
  })

  it('rejects when the server is unavailable, and keeps the session', async () => {
    const client = await loggedInClient()
    respondWith(() => HttpResponse.error())
    await expect(client.getCurrentMember()).rejects.toMatchObject({ code: 'network-error' })
    expect(client.getMemberToken()).toBe('token-of-ada')
  })

  it('shares one request among concurrent calls, and sends another one afterwards', async () => {
    const client = await loggedInClient()
    const calls = respondWith(memberIs(ada))
    const all = await Promise.all(Array.from({ length: 20 }, () => client.getCurrentMember()))
    expect(all).toEqual(Array.from({ length: 20 }, () => ({ data: ada })))
    expect(calls).toHaveLength(1)
    await client.getCurrentMember()
    expect(calls).toHaveLength(2)
  })

  it('sends another request after a failure', async () => {
    const client = await loggedInClient()
    const calls = respondWith(refused(503, 'service-unavailable', 'Later.'), memberIs(ada))
    await expect(client.getCurrentMember()).rejects.toMatchObject({ code: 'service-unavailable' })
    expect(await client.getCurrentMember()).toEqual({ data: ada })
    expect(calls).toHaveLength(2)
  })
})

describe('getCurrentMember from the cache', () => {
  it('returns the cached member at once and reports a newer one', async () => {
    const client = await loggedInClient()
    const { response: wait, release } = held(memberIs(wireMember({ verified: true })))
    respondWith(wait)
    expect(await client.getCurrentMember({ useCache: true })).toEqual({ data: ada })
    const told = new Promise((resolve) => client.onAuthChange(resolve))
    release()
    expect(await told).toEqual(wireMember({ verified: true }))
    expect(await client.getCurrentMember({ useCache: true })).toEqual({
      data: wireMember({ verified: true }),
    })
  })

  it('returns the cached member without a server', async () => {
    const client = await loggedInClient()
    respondWith(() => HttpResponse.error())
    expect(await client.getCurrentMember({ useCache: true })).toEqual({ data: ada })
  })

  it('reads the member from the server without a cache', async () => {
    window.localStorage.setItem('_ms-mid', 'token-of-ada')
    respondWith(memberIs(ada))
    expect(await testClient().getCurrentMember({ useCache: true })).toEqual({ data: ada })
  })
})

describe('getAppAndMember', () => {
  it('caches the member of the reply', async () => {
    const client = await loggedInClient()
    const member = wireMember({ verified: true })
    respondWith(reply({ app: wireApp(), member, sessionData: { sessionId: 'visit-1' } }))
    await client.getAppAndMember()
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(member)
  })

  it('removes the cached member when the session has ended', async () => {
    const client = await loggedInClient()
    respondWith(reply({ app: wireApp(), member: null, sessionData: { sessionId: 'visit-1' } }))
    await client.getAppAndMember()
    expect(client.getMemberToken()).toBeUndefined()
  })
})

describe('onReady', () => {
  it('resolves to null for a visitor', async () => {
    expect(await testClient().onReady).toBeNull()
  })

  it('resolves to the member after one request', async () => {
    const client = await loggedInClient()
    const calls = respondWith(memberIs(wireMember({ verified: true })))
    expect(await client.onReady).toEqual(wireMember({ verified: true }))
    expect(await client.onReady).toEqual(wireMember({ verified: true }))
    expect(calls).toHaveLength(1)
  })

  it('resolves to the cached member without a server', async () => {
    const client = await loggedInClient()
    respondWith(() => HttpResponse.error())
    expect(await client.onReady).toEqual(ada)
  })
})

describe('outdated responses', () => {
  it.each([
    ['a session that had ended', memberIs(null)],
    ['the member before', memberIs(ada)],
  ])('about %s do not change a newer login', async (_, old) => {
    const client = await loggedInClient()
    const late = heldAndAsked(old)
    respondWith(late.response, loginOf('token-of-bea', 'mem_bea'), memberIs(bea))
    const asking = client.getCurrentMember()
    await late.asked
    await client.loginMemberEmailPassword(credentials)
    late.release()
    expect(await asking).toEqual({ data: bea })
    expect(client.getMemberToken()).toBe('token-of-bea')
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(bea)
  })

  it('about an invalid old token do not change a newer login', async () => {
    const client = await loggedInClient()
    const late = heldAndAsked(refused(401, 'client/invalid-token', 'jwt expired'))
    respondWith(late.response, loginOf('token-of-bea', 'mem_bea'))
    const asking = client.getMemberJSON()
    await late.asked
    await client.loginMemberEmailPassword(credentials)
    late.release()
    await expect(asking).rejects.toMatchObject({ code: 'client/invalid-token' })
    expect(client.getMemberToken()).toBe('token-of-bea')
  })

  it('to a change do not change a newer login', async () => {
    const client = await loggedInClient()
    const late = heldAndAsked(reply(wireMember({ verified: true }), 'Saved.'))
    respondWith(late.response, loginOf('token-of-bea', 'mem_bea'))
    const changing = client.updateMember({ customFields: {} })
    await late.asked
    await client.loginMemberEmailPassword(credentials)
    late.release()
    await changing
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(bea)
  })

  it('to a logout do not end a newer login', async () => {
    const client = await loggedInClient()
    const late = heldAndAsked(loggedOut)
    respondWith(late.response, loginOf('token-of-bea', 'mem_bea'))
    const leaving = client.logout()
    await late.asked
    await client.loginMemberEmailPassword(credentials)
    late.release()
    await leaving
    expect(client.getMemberToken()).toBe('token-of-bea')
  })

  it('to an older login do not replace a newer one', async () => {
    const client = testClient()
    const late = heldAndAsked(loginOf('token-of-ada', 'mem_ada'))
    respondWith(late.response, loginOf('token-of-bea', 'mem_bea'))
    const older = client.loginMemberEmailPassword(credentials)
    await late.asked
    await client.loginMemberEmailPassword(credentials)
    late.release()
    expect((await older).data.member).toEqual(ada)
    expect(client.getMemberToken()).toBe('token-of-bea')
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(bea)
  })

  it('to a login do not log in again after a logout', async () => {
    const client = await loggedInClient()
    const late = heldAndAsked(loginOf('token-of-bea', 'mem_bea'))
    respondWith(late.response, loggedOut)
    const entering = client.loginMemberEmailPassword(credentials)
    await late.asked
    await client.logout()
    late.release()
    await entering
    expect(client.getMemberToken()).toBeUndefined()
  })

  it('to a read do not undo a change of the member', async () => {
    const client = await loggedInClient()
    const late = heldAndAsked(memberIs(ada))
    const changed = wireMember({ customFields: { name: 'Ada L.' } })
    respondWith(late.response, reply(changed, 'Saved.'))
    const asking = client.getCurrentMember()
    await late.asked
    await client.updateMember({ customFields: { name: 'Ada L.' } })
    late.release()
    expect(await asking).toEqual({ data: changed })
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(changed)
  })

  it('to an older read do not replace a newer one', async () => {
    const client = await loggedInClient()
    const sessionData = { sessionId: 'visit-1' }
    const late = heldAndAsked(reply({ app: wireApp(), member: ada, sessionData }))
    respondWith(late.response, memberIs(wireMember({ verified: true })))
    const older = client.getAppAndMember()
    await late.asked
    await client.getCurrentMember()
    late.release()
    await older
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(wireMember({ verified: true }))
  })

  it.each([
    ['a session that had ended', memberIs(null)],
    ['the member before', memberIs(ada)],
  ])('about %s do not change a login of another tab', async (_, old) => {
    const client = await loggedInClient()
    const other = testClient()
    const late = heldAndAsked(old)
    respondWith(late.response, loginOf('token-of-bea', 'mem_bea'), memberIs(bea))
    const asking = client.getCurrentMember()
    await late.asked
    await other.loginMemberEmailPassword(credentials)
    late.release()
    expect(await asking).toEqual({ data: bea })
    expect(client.getMemberToken()).toBe('token-of-bea')
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(bea)
  })
})
