import { errorReply } from '@tidings/contracts/errors'
import { limits } from '@tidings/contracts/limits'
import { sessionReply } from '@tidings/contracts/membership/auth'
import { currentMemberReply } from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import { appMemberReply, appReply, pageViewReply } from '@tidings/contracts/membership/widget-config'
import { membershipPaths } from '@tidings/contracts/paths'
import { siteUnderTest } from '../site-under-test.config.ts'
import { expect, freshAddress, type Guest, test } from './guest.ts'

type Call = { method?: string; token?: string; headers?: Record<string, string>; body?: object }

/** Sends a request from the page without the client, and returns what the page can read of the response. */
function send({ page }: Guest, path: string, { method = 'GET', token, headers = {}, body }: Call = {}) {
  const sent = {
    method,
    headers: {
      'X-API-Key': siteUnderTest.publicKey(),
      'X-User-Agent': 'client/1.2.0',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
  return page.evaluate(
    async ([url, init]) => {
      const response = await fetch(url, { ...init, credentials: 'include' })
      return { status: response.status, body: await response.json() }
    },
    [siteUnderTest.url() + path, sent] as const,
  )
}

test.describe('a first-generation client', () => {
  const headers = { 'X-APP-ID': 'app_tidings' }

  test('reads the app with an undefined parameter', async ({ guest }) => {
    const { status, body } = await send(guest, '/app?includeSSOText=undefined', { headers })
    expect(status).toBe(200)
    // `undefined` does not request it.
    expect(appReply.parse(body).data.ssoText).toBeUndefined()
    const both = await send(guest, '/app-member?includeSSOText=undefined', { headers })
    expect(appMemberReply.parse(both.body).data.member).toBeNull()
  })

  test('reads the member with a cache buster, with and without a session', async ({ guest }) => {
    const visitor = await send(guest, '/member?1234', { headers })
    expect(visitor).toEqual({ status: 200, body: { data: null } })
    const { token, email } = await guest.signUp()
    const { body } = await send(guest, '/member?5678', { headers, token })
    expect(currentMemberReply.parse(body).data?.auth.email).toBe(email)
  })

  test('logs out without a session', async ({ guest }) => {
    const { status, body } = await send(guest, '/member/logout', { method: 'POST', headers })
    expect(status).toBe(200)
    expect(body._internalUseOnly.message).toMatch(/\w/)
  })
})

test.describe('a second-generation client', () => {
  const headers = { 'X-Session-ID': '01HZZZZZZZZZZZZZZZZZZZZZZZ', 'referring-path': '/about' }
  const sessionData = { browser: 'CHROME', os: 'LINUX', screenSize: 'PHONE', sessionId: null, utmParams: {} }

  test('reads the app and its member by POST', async ({ guest }) => {
    const asked = { data: { trackPageView: true, sessionData } }
    const call = { method: 'POST', headers, body: asked }
    const visitor = appMemberReply.parse((await send(guest, '/app-member', call)).body).data
    expect(visitor.member).toBeNull()
    const { token, email } = await guest.signUp()
    const member = appMemberReply.parse((await send(guest, '/app-member', { ...call, token })).body).data
    expect(member.member?.auth.email).toBe(email)
    expect(member.sessionData.sessionId).toMatch(/^.{1,26}$/)
  })

  test('sends page views and events', async ({ guest }) => {
    const view = await send(guest, '/page-view', { method: 'POST', headers, body: { data: { sessionData } } })
    expect(pageViewReply.parse(view.body).data.success).toBe(true)
    const event = await send(guest, '/event', {
      method: 'POST',
      headers,
      body: { name: 'SEEN', ...sessionData },
    })
    expect(event.status).toBe(200)
  })

  test('signs up with keys unknown to the server', async ({ guest }) => {
    const body = {
      email: freshAddress(),
      password: 'a long password',
      inviteToken: 'unknown',
      conversionData: { url: '/', ...sessionData },
      origin_domain: siteUnderTest.guestOrigin(),
      options: {},
      rewardfulData: { referral: 'friend', coupon: 'spring' },
    }
    const response = await send(guest, '/auth/signup', { method: 'POST', headers, body })
    const { data, _internalUseOnly } = sessionReply.parse(response.body)
    expect(data.tokens.expires).toBeGreaterThan(1_600_000_000_000)
    expect(data.member.metaData).toEqual({ rewardful: body.rewardfulData })
    expect(_internalUseOnly.message).toMatch(/\w/)
  })
})

test.describe('every error can be read by the page', () => {
  test('the errors of invalid requests', async ({ guest, expectRefusal }) => {
    for (const [what, path, call, expected] of [
      ['an unknown route', '/member/team/join', { method: 'POST', body: {} }, [404, 'not-found']],
      ['an unknown route to read', '/v1/data-tables', {}, [404, 'not-found']],
      ['an unknown route to replace', '/v1/data-records/1', { method: 'PUT', body: {} }, [404, 'not-found']],
      ['an unknown route to delete', '/v1/data-records/1', { method: 'DELETE' }, [404, 'not-found']],
      ['another key', '/app', { headers: { 'X-API-Key': 'pk_unknown' } }, [404, 'app-not-found']],
      ['another app', '/app', { headers: { 'X-APP-ID': 'app_unknown' } }, [404, 'app-not-found']],
      ['no session', '/member/json', {}, [401, 'login-required']],
      ['a false token', '/member/json', { token: 'a.b.c' }, [401, 'client/invalid-token']],
      ['an empty body', '/auth/login', { method: 'POST' }, [400, 'required-field-missing']],
      ['a body of the wrong kind', '/auth/login', { method: 'POST', body: ['a'] }, [400, 'invalid-request']],
    ] as const satisfies [string, string, Call, [number, string]][]) {
      await test.step(`${what} is ${expected.join(' ')}`, async () => {
        expectRefusal(expected[0])
        const { status, body } = await send(guest, path, call)
        const { code, message } = errorReply.parse(body).error
        expect([status, code]).toEqual(expected)
        expect(message).toMatch(/\w/)
      })
    }
  })

  test('the error of an image that is too large', async ({ guest, expectRefusal }) => {
    expectRefusal(413)
    const { token } = await guest.signUp()
    const response = await guest.page.evaluate(
      async ([url, key, bearer, bytes]) => {
        const form = new FormData()
        form.append('profileImage', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'me.png')
        const headers = { 'X-API-Key': key, authorization: `Bearer ${bearer}` }
        const sent = await fetch(url, { method: 'POST', headers, body: form, credentials: 'include' })
        return { status: sent.status, error: (await sent.json()).error }
      },
      [
        siteUnderTest.url() + membershipPaths.profileImage,
        siteUnderTest.publicKey(),
        token,
        limits.profileImageBytes + 1,
      ] as const,
    )
    const error = { code: 'file-size-too-large', message: messages.imageTooLarge }
    expect(response).toEqual({ status: 413, error })
  })

  test('the errors of invalid JSON and of a body that is too large', async ({ guest, expectRefusal }) => {
    for (const status of [400, 413]) expectRefusal(status)
    const { token } = await guest.signUp()
    const large = { method: 'POST', token, body: { json: 'x'.repeat(6_000_000) } }
    const response = await send(guest, '/member/json', large)
    expect([response.status, response.body.error.code]).toEqual([413, 'payload-too-large'])
    const broken = await guest.page.evaluate(
      async ([url, key]) => {
        const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' }
        const response = await fetch(url, {
          method: 'POST',
          headers,
          body: '{"email":',
          credentials: 'include',
        })
        return { status: response.status, body: await response.json() }
      },
      [`${siteUnderTest.url()}/auth/login`, siteUnderTest.publicKey()] as const,
    )
    expect([broken.status, broken.body.error.code]).toEqual([400, 'invalid-request'])
  })
})
