import { errorReply } from '@tidings/contracts/errors'
import { limits } from '@tidings/contracts/limits'
import { currentMemberReply } from '@tidings/contracts/membership/members'
import * as routes from '@tidings/contracts/membership/routes'
import { siteUnderTest } from '../site-under-test.config.ts'
import { expect, type Guest, test } from './guest.ts'

type Sent = { method?: string; headers?: Record<string, string>; text?: string }

/** Sends a request from the page without the client, and returns what the page can read of the response. */
function send({ page }: Guest, path: string, { method = 'GET', headers = {}, text }: Sent = {}) {
  const init = {
    method,
    headers: { 'X-API-Key': siteUnderTest.publicKey(), ...headers },
    ...(text === undefined ? {} : { body: text }),
  }
  return page.evaluate(
    async ([url, given]) => {
      const response = await fetch(url, { ...given, credentials: 'include' })
      return { status: response.status, body: await response.json() }
    },
    [siteUnderTest.url() + path, init] as const,
  )
}

const json = { 'Content-Type': 'application/json' }
const earlierClients = { 'X-User-Agent': 'client/1.2.0', 'X-APP-ID': 'app_tidings' }
const laterClients = { 'X-Session-ID': '01HZZZZZZZZZZZZZZZZZZZZZZZ', 'referring-path': '/about' }

test.describe('a page of another origin, without the client', () => {
  test('may send the headers of every generation of clients', async ({ guest }) => {
    const { token, email } = await guest.signUp()
    for (const headers of [earlierClients, laterClients]) {
      const authorization = `Bearer ${token}`
      const { body } = await send(guest, routes.getMember.path, { headers: { ...headers, authorization } })
      expect(currentMemberReply.parse(body).data?.auth.email).toBe(email)
    }
  })

  test('can read every error', async ({ guest, expectRefusal }) => {
    const { token } = await guest.signUp()
    const login = { method: 'POST', headers: json }
    const large = { method: 'POST', headers: { ...json, authorization: `Bearer ${token}` } }
    const calls: [string, Sent, [number, string]][] = [
      ['/v1/data-records/1', { method: 'PUT', headers: json, text: '{}' }, [404, 'not-found']],
      [routes.getApp.path, { headers: { 'X-API-Key': 'pk_unknown' } }, [404, 'app-not-found']],
      [routes.getMemberJson.path, {}, [401, 'login-required']],
      [routes.login.path, { ...login, text: '{"email":' }, [400, 'invalid-request']],
      [routes.updateMemberJson.path, { ...large, text: 'x'.repeat(6_000_000) }, [413, 'payload-too-large']],
    ]
    for (const [path, sent, expected] of calls) {
      expectRefusal(expected[0])
      const { status, body } = await send(guest, path, sent)
      expect([status, errorReply.parse(body).error.code], path).toEqual(expected)
    }
  })

  test('can read the error of an image that is too large', async ({ guest, expectRefusal }) => {
    expectRefusal(413)
    const { token } = await guest.signUp()
    const response = await guest.page.evaluate(
      async ([url, key, bearer, bytes]) => {
        const form = new FormData()
        form.append('profileImage', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'me.png')
        const headers = { 'X-API-Key': key, authorization: `Bearer ${bearer}` }
        const sent = await fetch(url, { method: 'POST', headers, body: form, credentials: 'include' })
        return { status: sent.status, code: (await sent.json()).error.code }
      },
      [
        siteUnderTest.url() + routes.setProfileImage.path,
        siteUnderTest.publicKey(),
        token,
        limits.profileImageBytes + 1,
      ] as const,
    )
    expect(response).toEqual({ status: 413, code: 'file-size-too-large' })
  })
})
