import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { addApp } from '#test/factories/membership-apps.ts'
import { siteTest } from '#test/fixtures.ts'
import { type TestApp, testNow } from '#test/test-app.ts'

const daySeconds = 24 * 3600
const unknownSession = '3b1f0e64-5a0d-4c38-9d52-7f1c2a6e8b90'
const nowSeconds = testNow.getTime() / 1000

function partOf(token: string, part: 0 | 1): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString())
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Makes tokens from the one of a member. */
function createTokens({ context }: TestApp, token: string) {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const keyId = String(partOf(token, 0).kid)

  return {
    token,
    rest: `${payload}.${signature}`,
    /** Returns a token that the site's own key signed, with changed claims. */
    async signed(
      options: { header?: Record<string, unknown>; payload?: Record<string, unknown>; without?: string } = {},
    ): Promise<string> {
      const { current } = await context.signingKeys.ring()
      const claims: Record<string, unknown> = { ...partOf(token, 1), ...options.payload }
      if (options.without !== undefined) delete claims[options.without]
      return await new SignJWT(claims)
        .setProtectedHeader({ alg: 'EdDSA', kid: current.id, typ: 'JWT', ...options.header })
        .sign(current.key)
    },
    async byForeignKey(): Promise<string> {
      const { privateKey } = await generateKeyPair('EdDSA')
      return await new SignJWT(partOf(token, 1))
        .setProtectedHeader({ alg: 'EdDSA', kid: keyId, typ: 'JWT' })
        .sign(privateKey)
    },
    async withEmbeddedKey(): Promise<string> {
      const { privateKey, publicKey } = await generateKeyPair('EdDSA')
      return await new SignJWT(partOf(token, 1))
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', jwk: await exportJWK(publicKey) })
        .sign(privateKey)
    },
    /** Returns a token whose shared secret is the public half of the signing key. */
    async byPublicKey(): Promise<string> {
      const { current, verifying } = await context.signingKeys.ring()
      const key = verifying.get(current.id)
      if (key === undefined) throw new Error('The key does not verify')
      return await new SignJWT(partOf(token, 1))
        .setProtectedHeader({ alg: 'HS256', kid: keyId, typ: 'JWT' })
        .sign(Buffer.from(String((await exportJWK(key)).x), 'base64url'))
    },
    altered(change: Record<string, unknown>, part: 0 | 1): string {
      const parts = [header, payload, signature]
      parts[part] = encode({ ...partOf(token, part), ...change })
      return parts.join('.')
    },
  }
}

type Tokens = ReturnType<typeof createTokens>

const it = siteTest()
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp({ email: 'ann@example.com' }))
  /** The headers of a visitor of another app on the same site. */
  .extend('elsewhere', { scope: 'file', auto: true }, ({ site }) =>
    addApp(site, { id: 'app_elsewhere', publicKey: 'pk_elsewhere' }),
  )
  .extend('tokens', { scope: 'file' }, ({ site, ann }) => createTokens(site, ann.token))
  /** Returns the status and member of each call with these headers. */
  .extend('tryHeaders', { scope: 'file' }, ({ members }) => async (headers: Record<string, string>) => {
    const results: unknown[] = []
    for (const [method, url] of [
      ['GET', '/member'],
      ['GET', '/app-member'],
      ['POST', '/app-member'],
    ] as const) {
      const reply = await members.call(method, url, { headers })
      results.push(reply.statusCode, url === '/member' ? reply.json().data : reply.json().data.member)
    }
    const refused = await members.call('GET', '/member/json', { headers })
    return [...results, refused.statusCode, refused.json().error?.code]
  })
  .extend('tryToken', { scope: 'file' }, ({ members, tryHeaders }) => async (token: string) => {
    return await tryHeaders({ ...members.visitor, authorization: `Bearer ${token}` })
  })

const refusedEverywhere = [200, null, 200, null, 200, null, 401, 'client/invalid-token']

const rejectedTokens: [what: string, make: (tokens: Tokens) => string | Promise<string>][] = [
  ['whose member was altered', ({ altered }) => altered({ sub: 'mem_another' }, 1)],
  ['whose expiry was altered', ({ altered }) => altered({ exp: nowSeconds + 1000 * daySeconds }, 1)],
  ['whose header was altered', ({ altered }) => altered({ extra: true }, 0)],
  ['whose signature was altered', ({ token }) => token.replace(/.{4}$/, 'AAAA')],
  ['that lacks its last character', ({ token }) => token.slice(0, -1)],
  ['that lacks its signature', ({ token }) => token.replace(/[^.]*$/, '')],
  ['that lacks a part', ({ token }) => token.split('.').slice(0, 2).join('.')],
  ['that has a part too many', ({ token }) => `${token}.${token}`],
  ['that is unsigned', ({ token }) => new UnsecuredJWT(partOf(token, 1)).encode()],
  ['of the algorithm none with its signature', ({ altered }) => altered({ alg: 'none' }, 0)],
  ['of the algorithm nOnE', ({ altered }) => altered({ alg: 'nOnE' }, 0)],
  ['signed with the public key as a shared secret', (tokens) => tokens.byPublicKey()],
  ['signed by a foreign key under our key id', (tokens) => tokens.byForeignKey()],
  ['that embeds its own key', (tokens) => tokens.withEmbeddedKey()],
  ['that names no key', ({ signed }) => signed({ header: { kid: undefined } })],
  ['that names an unknown key', ({ signed }) => signed({ header: { kid: 'another-key' } })],
  ['that names a key of the prototype', ({ signed }) => signed({ header: { kid: '__proto__' } })],
  ['of another type', ({ signed }) => signed({ header: { typ: 'at+jwt' } })],
  ['of another issuer', ({ signed }) => signed({ payload: { iss: 'https://evil.example' } })],
  ['of another audience', ({ signed }) => signed({ payload: { aud: 'app_elsewhere' } })],
  ['of several audiences', ({ signed }) => signed({ payload: { aud: ['app_tidings', 'app_elsewhere'] } })],
  ['of another member', ({ signed }) => signed({ payload: { sub: 'mem_another' } })],
  ['of an unknown session', ({ signed }) => signed({ payload: { sid: unknownSession } })],
  ['of a malformed session id', ({ signed }) => signed({ payload: { sid: "' OR 1=1 --" } })],
  ['that has expired', ({ signed }) => signed({ payload: { exp: nowSeconds } })],
  ['that is not yet valid', ({ signed }) => signed({ payload: { nbf: nowSeconds + 60 } })],
  ['that never expires', ({ signed }) => signed({ without: 'exp' })],
  ['without a session', ({ signed }) => signed({ without: 'sid' })],
  ['without a member', ({ signed }) => signed({ without: 'sub' })],
  ['without an issuer', ({ signed }) => signed({ without: 'iss' })],
  ['whose expiry is text', ({ altered }) => altered({ exp: 'never' }, 1)],
  ['of 10,000 characters', ({ token }) => `${token}${'A'.repeat(10_000)}`],
  ['of 10,000 characters that is signed', ({ signed }) => signed({ payload: { note: 'x'.repeat(10_000) } })],
  ['that is garbage', () => 'garbage'],
  ['that is dots', () => '..'],
  ['whose header is not JSON', ({ rest }) => `bm90IGpzb24.${rest}`],
  ['whose payload is not JSON', ({ token }) => token.replace(/\.[^.]*\./, '.bm90IGpzb24.')],
  ['whose header is a list', ({ rest }) => `${encode([1])}.${rest}`],
  ['whose header is null', ({ rest }) => `${encode(null)}.${rest}`],
  ['that is the text undefined', () => 'undefined'],
]

describe('an access token', () => {
  it('is an EdDSA token that names its key, its site, its app and its member, for 14 days', ({
    site,
    ann,
  }) => {
    expect(partOf(ann.token, 0)).toEqual({ alg: 'EdDSA', kid: expect.any(String), typ: 'JWT' })
    expect(partOf(ann.token, 1)).toEqual({
      iss: site.context.config.site.url.origin,
      aud: site.context.config.site.appId,
      sub: ann.memberId,
      sid: expect.any(String),
      iat: nowSeconds,
      exp: nowSeconds + 14 * daySeconds,
    })
  })

  it('is accepted as issued, and when the same claims are signed again', async ({ members, ann, tokens }) => {
    expect((await members.call('GET', '/member', { headers: ann.headers })).json().data.id).toBe(ann.memberId)
    const again = { ...members.visitor, authorization: `Bearer ${await tokens.signed()}` }
    expect((await members.call('GET', '/member/json', { headers: again })).statusCode).toBe(200)
  })

  it('is refused with the message that clients expect', async ({ members }) => {
    const headers = { ...members.visitor, authorization: 'Bearer nonsense' }
    expect(refusalOf(await members.call('GET', '/member/sessions', { headers }))).toEqual({
      status: 401,
      code: 'client/invalid-token',
      message: 'An invalid token has been provided. Please make sure the token is valid.',
    })
  })

  it.for(rejectedTokens)('%s is rejected', async ([_name, make], { tokens, tryToken }) => {
    expect(await tryToken(await make(tokens))).toEqual(refusedEverywhere)
  })

  it.for([
    ['no scheme', (token: string) => token],
    ['the scheme alone', () => 'Bearer'],
    ['the scheme and a space', () => 'Bearer '],
    ['no space', (token: string) => `Bearer${token}`],
    ['another scheme', (token: string) => `Basic ${token}`],
    ['a trailing word', (token: string) => `Bearer ${token} x`],
    ['two tokens', (token: string) => `Bearer ${token}, Bearer ${token}`],
    ['quotation marks', (token: string) => `Bearer "${token}"`],
  ] as const)(
    'with %s in the header is rejected',
    async ([_name, headerOf], { members, ann, tryHeaders }) => {
      const headers = { ...members.visitor, authorization: headerOf(ann.token) }
      expect(await tryHeaders(headers)).toEqual(refusedEverywhere)
    },
  )

  it.for(['bearer', 'BEARER', 'Bearer  '])('is accepted after %j', async (word, { members, ann }) => {
    const headers = { ...members.visitor, authorization: `${word} ${ann.token}` }
    expect((await members.call('GET', '/member/json', { headers })).statusCode).toBe(200)
  })

  it('of one app is rejected in another, in both directions', async ({
    members,
    ann,
    elsewhere,
    tryHeaders,
    tryToken,
  }) => {
    const there = { ...elsewhere, authorization: `Bearer ${ann.token}` }
    expect(await tryHeaders(there)).toEqual(refusedEverywhere)
    const body = { email: ann.email, password: 'another-password' }
    const reply = await members.call('POST', '/auth/signup', { headers: elsewhere, body })
    const { accessToken } = reply.json().data.tokens
    expect(await tryToken(accessToken)).toEqual(refusedEverywhere)
    const own = { ...elsewhere, authorization: `Bearer ${accessToken}` }
    expect((await members.call('GET', '/member/json', { headers: own })).statusCode).toBe(200)
  })

  it('expires exactly after 14 days, cached or not', async ({ site, members, ann, tryHeaders }) => {
    const expiresMs = testNow.getTime() + 14 * daySeconds * 1000
    site.clock.moveTo(new Date(expiresMs - 1))
    expect((await members.call('GET', '/member', { headers: ann.headers })).json().data.id).toBe(ann.memberId)
    site.clock.moveTo(new Date(expiresMs))
    expect(await tryHeaders(ann.headers)).toEqual(refusedEverywhere)
    site.clock.moveTo(testNow)
  })
})
