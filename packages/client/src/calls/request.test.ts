import { messages } from '@tidings/contracts/membership/messages'
import { HttpResponse } from 'msw/http'
import { describe, expect, it, vi } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { MembershipError } from '../index.ts'
import { apiBase, refused, reply, respondWith } from '../testing/fake-api.ts'
import { loggedInClient, testClient } from '../testing/test-client.ts'
import { wireApp, wireMember } from '../testing/wire-samples.ts'

const failureOf = (call: Promise<unknown>) => call.then(() => null).catch((error: unknown) => error)

describe('what every call sends', () => {
  it('has no authorization without a session', async () => {
    const calls = respondWith(reply(wireApp()))
    await testClient().getApp()
    expect(calls[0]?.headers.get('authorization')).toBeNull()
    expect(calls[0]?.headers.get('x-app-id')).toBeNull()
    expect(calls[0]?.headers.get('x-session-id')).toBeNull()
  })

  it('has headers for the app, the client and the page', async () => {
    const calls = respondWith(reply(wireApp()))
    await testClient({ appId: 'app_news' }).getApp()
    expect(calls[0]?.headers.get('x-api-key')).toBe('pk_test')
    expect(calls[0]?.headers.get('x-app-id')).toBe('app_news')
    expect(calls[0]?.headers.get('x-user-agent')).toBe(`tidings-client/${packageJson.version}`)
    expect(calls[0]?.headers.get('referring-path')).toBe('/account')
  })

  it('has the token of the session', async () => {
    const client = await loggedInClient()
    const calls = respondWith(reply(wireApp()))
    await client.getApp()
    expect(calls[0]?.headers.get('authorization')).toBe('Bearer token-of-ada')
  })

  it('has the id of the visit once the server has sent it', async () => {
    const client = testClient()
    const data = { app: wireApp(), member: null, sessionData: { sessionId: 'visit-1' } }
    const calls = respondWith(reply(data), reply(wireApp()))
    await client.getAppAndMember()
    await client.getCurrentMember()
    await client.getApp()
    expect(calls[0]?.headers.get('x-session-id')).toBeNull()
    expect(calls[1]?.headers.get('x-session-id')).toBe('visit-1')
  })

  it('has no visit of an ended session', async () => {
    const client = await loggedInClient()
    const data = { app: wireApp(), member: wireMember(), sessionData: { sessionId: 'visit-1' } }
    const done = reply({ redirect: null }, 'Logged out.')
    const calls = respondWith(reply(data), done, reply(wireApp()))
    await client.getAppAndMember()
    await client.logout()
    await client.getApp()
    expect(calls.map(({ headers }) => headers.get('x-session-id'))).toEqual([null, 'visit-1', null])
  })

  it('includes credentials', async () => {
    const fetching = vi.spyOn(globalThis, 'fetch')
    respondWith(reply(wireApp()))
    await testClient().getApp()
    expect(fetching.mock.calls[0]?.[1]?.credentials).toBe('include')
  })

  it('has the content type of JSON only with a body', async () => {
    const client = await loggedInClient()
    const done = reply({ redirect: null }, 'Logged out.')
    const calls = respondWith(reply(wireMember()), done)
    await client.getCurrentMember()
    await client.logout()
    expect(calls.map(({ headers }) => headers.get('content-type'))).toEqual([null, null])
    expect(calls.map(({ body }) => body)).toEqual([null, null])
  })

  it('encodes the characters of an id in the path', async () => {
    const calls = respondWith(refused(404, 'plan-not-found', 'There is no such plan.'))
    await failureOf(testClient().getPlan({ planId: 'pln_/../?a#b' }))
    expect(calls[0]?.line).toBe('GET /app/plans/pln_%2F..%2F%3Fa%23b')
  })

  it('accepts an API base with a trailing slash', async () => {
    const calls = respondWith(reply(wireApp()))
    await testClient({ apiBase: `${apiBase}/` }).getApp()
    expect(calls[0]?.line).toBe('GET /app')
  })
})

describe('a call that fails', () => {
  it('rejects with the server’s code, message and status', async () => {
    respondWith(refused(401, 'invalid-credentials', 'Wrong e-mail or password.'))
    const failure = await failureOf(
      testClient().loginMemberEmailPassword({ email: 'ada@example.com', password: 'x' }),
    )
    expect(failure).toBeInstanceOf(MembershipError)
    expect(failure).toMatchObject({
      name: 'MembershipError',
      code: 'invalid-credentials',
      message: 'Wrong e-mail or password.',
      status: 401,
    })
  })

  it('rejects an error with a successful status', async () => {
    respondWith(() => HttpResponse.json({ error: { code: 'access-denied', message: 'No.' } }))
    await expect(testClient().getApp()).rejects.toMatchObject({ code: 'access-denied', status: 200 })
  })

  it.each([
    { code: 'client/invalid-token', message: 'jwt malformed' },
    { name: 'JsonWebTokenError', message: 'invalid signature' },
  ])('ends the session after %j', async (error) => {
    const client = await loggedInClient()
    respondWith(() => HttpResponse.json({ error }, { status: 401 }))
    await expect(client.getMemberJSON()).rejects.toMatchObject({
      code: 'client/invalid-token',
      message: messages.invalidToken,
      status: 401,
    })
    expect(client.getMemberToken()).toBeUndefined()
    expect(window.localStorage.getItem('_ms-mem')).toBeNull()
  })

  it('keeps the session after other errors', async () => {
    const client = await loggedInClient()
    respondWith(refused(429, 'too-many-requests', 'Please try again in a minute.'))
    await expect(client.getMemberJSON()).rejects.toMatchObject({ code: 'too-many-requests' })
    expect(client.getMemberToken()).toBe('token-of-ada')
  })

  it('reports an unavailable server', async () => {
    respondWith(() => HttpResponse.error())
    await expect(testClient().getApp()).rejects.toMatchObject({
      name: 'MembershipError',
      code: 'network-error',
      message: 'We can’t reach the server. Check your connection and try again.',
      status: 0,
    })
  })

  it('times out after 20 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const asked = Promise.withResolvers<void>()
    respondWith(() => {
      asked.resolve()
      return new Promise<Response>(() => undefined)
    })
    const failure = failureOf(testClient().getApp())
    await asked.promise
    vi.advanceTimersByTime(20_000)
    expect(await failure).toMatchObject({
      name: 'MembershipError',
      code: 'request-timeout',
      message: 'The server took too long to respond. Try again.',
      status: 0,
    })
  })

  it.each([
    ['a page of a proxy', () => new HttpResponse('<h1>Bad gateway</h1>', { status: 502 }), 502],
    ['a page of a hotel’s network', () => new HttpResponse('<h1>Welcome</h1>'), 200],
    ['nothing', () => new HttpResponse(null, { status: 204 }), 204],
    ['a success without data', () => HttpResponse.json({ member: null }), 200],
    ['an error without a code', () => HttpResponse.json({ error: 'no' }, { status: 500 }), 500],
    ['an error without an error', () => HttpResponse.json({ data: null }, { status: 500 }), 500],
  ])('reports an invalid response for %s', async (_, unreadable, status) => {
    respondWith(unreadable)
    await expect(testClient().getApp()).rejects.toMatchObject({
      name: 'MembershipError',
      code: 'unreadable-reply',
      message: 'We couldn’t read the server’s reply. Try again later.',
      status,
    })
  })
})
