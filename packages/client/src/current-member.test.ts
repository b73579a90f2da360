import { logoutReply, sessionReply } from '@tidings/contracts/auth'
import { currentMemberReply, memberWithMessageReply } from '@tidings/contracts/members'
import { appMemberReply } from '@tidings/contracts/widget-config'
import { HttpResponse } from 'msw/http'
import { describe, expect, it } from 'vitest'
import { type Answer, answer, held, refused, reply } from './testing/fake-api.ts'
import { loggedInClient, testClient } from './testing/test-client.ts'
import { wireApp, wireMember, wireSession } from './testing/wire-samples.ts'

const credentials = { email: 'ada@example.com', password: 'a password' }
const ada = wireMember()
const bea = wireMember({ id: 'mem_bea' })
const memberIs = (member: unknown) => reply(currentMemberReply, member)
const loginOf = (token: string, id: string) => reply(sessionReply, wireSession(token, { id }), 'Hello.')
const loggedOut = reply(logoutReply, { redirect: null }, 'You have logged out.')

/** An answer that waits, and the moment at which the API was asked for it. */
function heldAndAsked(later: Answer) {
  const { answer: wait, letGo } = held(later)
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const answerLater: Answer = () => {
    resolve()
    return wait()
  }
  return { answer: answerLater, asked, letGo }
}

describe('getCurrentMember', () => {
  it('asks the server', async () => {
    const client = await loggedInClient()
    const calls = answer(memberIs(wireMember({ verified: true })))
    expect(await client.getCurrentMember()).toEqual({ data: wireMember({ verified: true }) })
    expect(calls.map(({ line }) => line)).toEqual(['GET /member'])
  })

  it('answers null to a visitor without asking, and drops a member that was left behind', async () => {
    window.localStorage.setItem('_ms-mem', JSON.stringify(ada))
    expect(await testClient().getCurrentMember({ useCache: true })).toEqual({ data: null })
    expect(window.localStorage.getItem('_ms-mem')).toBeNull()
  })

  it('tidies up when the server knows no such session', async () => {
    const client = await loggedInClient()
    answer(memberIs(null))
    expect(await client.getCurrentMember()).toEqual({ data: null })
    expect(client.getMemberToken()).toBeUndefined()
    expect(window.localStorage.getItem('_ms-mem')).toBeNull()
  })

  it('rejects when the server cannot be reached, and keeps the session', async () => {
    const client = await loggedInClient()
    answer(() => HttpResponse.error())
    await expect(client.getCurrentMember()).rejects.toMatchObject({ code: 'network-error' })
    expect(client.getMemberToken()).toBe('token-of-ada')
  })

  it('shares one request among calls at the same time, and asks again afterwards', async () => {
    const client = await loggedInClient()
    const calls = answer(memberIs(ada))
    const all = await Promise.all(Array.from({ length: 20 }, () => client.getCurrentMember()))
    expect(all).toEqual(Array.from({ length: 20 }, () => ({ data: ada })))
    expect(calls).toHaveLength(1)
    await client.getCurrentMember()
    expect(calls).toHaveLength(2)
  })

  it('asks again after a failure', async () => {
    const client = await loggedInClient()
    const calls = answer(refused(503, 'service-unavailable', 'Later.'), memberIs(ada))
    await expect(client.getCurrentMember()).rejects.toMatchObject({ code: 'service-unavailable' })
    expect(await client.getCurrentMember()).toEqual({ data: ada })
    expect(calls).toHaveLength(2)
  })
})

describe('getCurrentMember from the cache', () => {
  it('answers the cached member at once and tells of a newer one', async () => {
    const client = await loggedInClient()
    const { answer: wait, letGo } = held(memberIs(wireMember({ verified: true })))
    answer(wait)
    expect(await client.getCurrentMember({ useCache: true })).toEqual({ data: ada })
    const told = new Promise((resolve) => client.onAuthChange(resolve))
    letGo()
    expect(await told).toEqual(wireMember({ verified: true }))
    expect(await client.getCurrentMember({ useCache: true })).toEqual({
      data: wireMember({ verified: true }),
    })
  })

  it('answers it without a server too', async () => {
    const client = await loggedInClient()
    answer(() => HttpResponse.error())
    expect(await client.getCurrentMember({ useCache: true })).toEqual({ data: ada })
  })

  it('asks the server when nobody is cached', async () => {
    window.localStorage.setItem('_ms-mid', 'token-of-ada')
    answer(memberIs(ada))
    expect(await testClient().getCurrentMember({ useCache: true })).toEqual({ data: ada })
  })
})

describe('getAppAndMember', () => {
  it('keeps the member that came along', async () => {
    const client = await loggedInClient()
    const member = wireMember({ verified: true })
    answer(reply(appMemberReply, { app: wireApp(), member, sessionData: { sessionId: 'visit-1' } }))
    await client.getAppAndMember()
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(member)
  })

  it('tidies up when the session is over', async () => {
    const client = await loggedInClient()
    answer(reply(appMemberReply, { app: wireApp(), member: null, sessionData: { sessionId: 'visit-1' } }))
    await client.getAppAndMember()
    expect(client.getMemberToken()).toBeUndefined()
  })
})

describe('onReady', () => {
  it('is null for a visitor', async () => {
    expect(await testClient().onReady).toBeNull()
  })

  it('is the member that the server answers, asked once', async () => {
    const client = await loggedInClient()
    const calls = answer(memberIs(wireMember({ verified: true })))
    expect(await client.onReady).toEqual(wireMember({ verified: true }))
    expect(await client.onReady).toEqual(wireMember({ verified: true }))
    expect(calls).toHaveLength(1)
  })

  it('is the cached member without a server', async () => {
    const client = await loggedInClient()
    answer(() => HttpResponse.error())
    expect(await client.onReady).toEqual(ada)
  })
})

describe('late answers', () => {
  it.each([
    ['a session that had ended', memberIs(null)],
    ['the member before', memberIs(ada)],
  ])('about %s leave a newer login alone', async (_, old) => {
    const client = await loggedInClient()
    const late = heldAndAsked(old)
    answer(late.answer, loginOf('token-of-bea', 'mem_bea'), memberIs(bea))
    const asking = client.getCurrentMember()
    await late.asked
    await client.loginMemberEmailPassword(credentials)
    late.letGo()
    expect(await asking).toEqual({ data: bea })
    expect(client.getMemberToken()).toBe('token-of-bea')
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(bea)
  })

  it('that the old token is invalid leave a newer login alone', async () => {
    const client = await loggedInClient()
    const late = heldAndAsked(refused(401, 'client/invalid-token', 'jwt expired'))
    answer(late.answer, loginOf('token-of-bea', 'mem_bea'))
    const asking = client.getMemberJSON()
    await late.asked
    await client.loginMemberEmailPassword(credentials)
    late.letGo()
    await expect(asking).rejects.toMatchObject({ code: 'client/invalid-token' })
    expect(client.getMemberToken()).toBe('token-of-bea')
  })

  it('of a change leave a newer login alone', async () => {
    const client = await loggedInClient()
    const late = heldAndAsked(reply(memberWithMessageReply, wireMember({ verified: true }), 'Saved.'))
    answer(late.answer, loginOf('token-of-bea', 'mem_bea'))
    const changing = client.updateMember({ customFields: {} })
    await late.asked
    await client.loginMemberEmailPassword(credentials)
    late.letGo()
    await changing
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(bea)
  })

  it('of a logout leave a newer login alone', async () => {
    const client = await loggedInClient()
    const late = heldAndAsked(loggedOut)
    answer(late.answer, loginOf('token-of-bea', 'mem_bea'))
    const leaving = client.logout()
    await late.asked
    await client.loginMemberEmailPassword(credentials)
    late.letGo()
    await leaving
    expect(client.getMemberToken()).toBe('token-of-bea')
  })

  it('of an older login leave a newer one alone', async () => {
    const client = testClient()
    const late = heldAndAsked(loginOf('token-of-ada', 'mem_ada'))
    answer(late.answer, loginOf('token-of-bea', 'mem_bea'))
    const older = client.loginMemberEmailPassword(credentials)
    await late.asked
    await client.loginMemberEmailPassword(credentials)
    late.letGo()
    expect((await older).data.member).toEqual(ada)
    expect(client.getMemberToken()).toBe('token-of-bea')
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(bea)
  })

  it('of a login do not log in again who has logged out since', async () => {
    const client = await loggedInClient()
    const late = heldAndAsked(loginOf('token-of-bea', 'mem_bea'))
    answer(late.answer, loggedOut)
    const entering = client.loginMemberEmailPassword(credentials)
    await late.asked
    await client.logout()
    late.letGo()
    await entering
    expect(client.getMemberToken()).toBeUndefined()
  })

  it('of a read do not undo a change of the member', async () => {
    const client = await loggedInClient()
    const late = heldAndAsked(memberIs(ada))
    const changed = wireMember({ customFields: { name: 'Ada L.' } })
    answer(late.answer, reply(memberWithMessageReply, changed, 'Saved.'))
    const asking = client.getCurrentMember()
    await late.asked
    await client.updateMember({ customFields: { name: 'Ada L.' } })
    late.letGo()
    expect(await asking).toEqual({ data: changed })
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(changed)
  })

  it('of an older read do not undo a newer one', async () => {
    const client = await loggedInClient()
    const sessionData = { sessionId: 'visit-1' }
    const late = heldAndAsked(reply(appMemberReply, { app: wireApp(), member: ada, sessionData }))
    answer(late.answer, memberIs(wireMember({ verified: true })))
    const older = client.getAppAndMember()
    await late.asked
    await client.getCurrentMember()
    late.letGo()
    await older
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(wireMember({ verified: true }))
  })

  it.each([
    ['a session that had ended', memberIs(null)],
    ['the member before', memberIs(ada)],
  ])('about %s leave a login of another tab alone', async (_, old) => {
    const client = await loggedInClient()
    const other = testClient()
    const late = heldAndAsked(old)
    answer(late.answer, loginOf('token-of-bea', 'mem_bea'), memberIs(bea))
    const asking = client.getCurrentMember()
    await late.asked
    await other.loginMemberEmailPassword(credentials)
    late.letGo()
    expect(await asking).toEqual({ data: bea })
    expect(client.getMemberToken()).toBe('token-of-bea')
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(bea)
  })
})
