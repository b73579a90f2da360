import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { addApp } from '#test/factories/membership-apps.ts'
import { createTestMembers, type TestMember, type TestMembers } from '#test/membership.ts'
import { startTestApp, type TestApp, testNow } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

const daySeconds = 24 * 3600
const nowSeconds = testNow.getTime() / 1000

let site: TestApp
let members: TestMembers
let ann: TestMember
let elsewhere: Record<string, string>
beforeAll(async () => {
  site = await startTestApp({ databaseUrl: await createTestDatabase() })
  members = createTestMembers(site)
  ann = await members.signUp({ email: 'ann@example.com' })
  elsewhere = await addApp(site, { id: 'app_elsewhere', publicKey: 'pk_elsewhere' })
})
afterAll(() => site.close())

function partOf(token: string, part: 0 | 1): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString())
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Returns a token that the site's own key signed, with changed claims. */
async function signed(
  options: { header?: Record<string, unknown>; payload?: Record<string, unknown>; without?: string } = {},
): Promise<string> {
  const { current } = await site.context.signingKeys.ring()
  const payload: Record<string, unknown> = { ...partOf(ann.token, 1), ...options.payload }
  if (options.without !== undefined) delete payload[options.without]
  return await new SignJWT(payload)
    .setProtectedHeader({ alg: 'EdDSA', kid: current.id, typ: 'JWT', ...options.header })
    .sign(current.key)
}

/** Returns the public half of the signing key. */
async function publicKeyBytes(): Promise<Uint8Array> {
  const { current, verifying } = await site.context.signingKeys.ring()
  const key = verifying.get(current.id)
  if (key === undefined) throw new Error('The key does not verify')
  return Buffer.from(String((await exportJWK(key)).x), 'base64url')
}

async function byForeignKey(): Promise<string> {
  const { privateKey } = await generateKeyPair('EdDSA')
  return await new SignJWT(partOf(ann.token, 1))
    .setProtectedHeader({ alg: 'EdDSA', kid: String(partOf(ann.token, 0).kid), typ: 'JWT' })
    .sign(privateKey)
}

async function withEmbeddedKey(): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA')
  return await new SignJWT(partOf(ann.token, 1))
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', jwk: await exportJWK(publicKey) })
    .sign(privateKey)
}

async function byPublicKey(): Promise<string> {
  return await new SignJWT(partOf(ann.token, 1))
    .setProtectedHeader({ alg: 'HS256', kid: String(partOf(ann.token, 0).kid), typ: 'JWT' })
    .sign(await publicKeyBytes())
}

function altered(change: Record<string, unknown>, part: 0 | 1): string {
  const parts = ann.token.split('.')
  parts[part] = encode({ ...partOf(ann.token, part), ...change })
  return parts.join('.')
}

/** Returns the status and member of each call with this token. */
async function tryToken(token: string): Promise<unknown[]> {
  return await tryHeaders({ ...members.visitor, authorization: `Bearer ${token}` })
}

async function tryHeaders(headers: Record<string, string>): Promise<unknown[]> {
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
}

const refusedEverywhere = [200, null, 200, null, 200, null, 401, 'client/invalid-token']

describe('an access token', () => {
  it('is an EdDSA token that names its key, its site, its app and its member, for 14 days', () => {
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

  it('is accepted as issued, and when the same claims are signed again', async () => {
    expect((await members.call('GET', '/member', { headers: ann.headers })).json().data.id).toBe(ann.memberId)
    const again = { ...members.visitor, authorization: `Bearer ${await signed()}` }
    expect((await members.call('GET', '/member/json', { headers: again })).statusCode).toBe(200)
  })

  it('is refused with the message that clients expect', async () => {
    const headers = { ...members.visitor, authorization: 'Bearer nonsense' }
    expect(refusalOf(await members.call('GET', '/member/sessions', { headers }))).toEqual({
      status: 401,
      code: 'client/invalid-token',
      message: 'An invalid token has been provided. Please make sure the token is valid.',
    })
  })

  it.each<[string, () => string | Promise<string>]>([
    ['whose member was altered', () => altered({ sub: 'mem_another' }, 1)],
    ['whose expiry was altered', () => altered({ exp: nowSeconds + 1000 * daySeconds }, 1)],
    ['whose header was altered', () => altered({ extra: true }, 0)],
    ['whose signature was altered', () => ann.token.replace(/.{4}$/, 'AAAA')],
    ['that lacks its last character', () => ann.token.slice(0, -1)],
    ['that lacks its signature', () => ann.token.replace(/[^.]*$/, '')],
    ['that lacks a part', () => ann.token.split('.').slice(0, 2).join('.')],
    ['that has a part too many', () => `${ann.token}.${ann.token}`],
    ['that is unsigned', () => new UnsecuredJWT(partOf(ann.token, 1)).encode()],
    ['of the algorithm none with its signature', () => altered({ alg: 'none' }, 0)],
    ['of the algorithm nOnE', () => altered({ alg: 'nOnE' }, 0)],
    ['signed with the public key as a shared secret', byPublicKey],
    ['signed by a foreign key under our key id', byForeignKey],
    ['that embeds its own key', withEmbeddedKey],
    ['that names no key', () => signed({ header: { kid: undefined } })],
    ['that names an unknown key', () => signed({ header: { kid: 'another-key' } })],
    ['that names a key of the prototype', () => signed({ header: { kid: '__proto__' } })],
    ['of another type', () => signed({ header: { typ: 'at+jwt' } })],
    ['of another issuer', () => signed({ payload: { iss: 'https://evil.example' } })],
    ['of another audience', () => signed({ payload: { aud: 'app_elsewhere' } })],
    ['of several audiences', () => signed({ payload: { aud: ['app_tidings', 'app_elsewhere'] } })],
    ['of another member', () => signed({ payload: { sub: 'mem_another' } })],
    ['of an unknown session', () => signed({ payload: { sid: site.context.ids.uuid() } })],
    ['of a malformed session id', () => signed({ payload: { sid: "' OR 1=1 --" } })],
    ['that has expired', () => signed({ payload: { exp: nowSeconds } })],
    ['that is not yet valid', () => signed({ payload: { nbf: nowSeconds + 60 } })],
    ['that never expires', () => signed({ without: 'exp' })],
    ['without a session', () => signed({ without: 'sid' })],
    ['without a member', () => signed({ without: 'sub' })],
    ['without an issuer', () => signed({ without: 'iss' })],
    ['whose expiry is text', () => altered({ exp: 'never' }, 1)],
    ['of 10,000 characters', () => `${ann.token}${'A'.repeat(10_000)}`],
    ['of 10,000 characters that is signed', () => signed({ payload: { note: 'x'.repeat(10_000) } })],
    ['that is garbage', () => 'garbage'],
    ['that is dots', () => '..'],
    ['whose header is not JSON', () => `bm90IGpzb24.${ann.token.split('.').slice(1).join('.')}`],
    ['whose payload is not JSON', () => ann.token.replace(/\.[^.]*\./, '.bm90IGpzb24.')],
    ['whose header is a list', () => `${encode([1])}.${ann.token.split('.').slice(1).join('.')}`],
    ['whose header is null', () => `${encode(null)}.${ann.token.split('.').slice(1).join('.')}`],
    ['that is the text undefined', () => 'undefined'],
  ])('%s is rejected', async (_name, make) => {
    expect(await tryToken(await make())).toEqual(refusedEverywhere)
  })

  it.each([
    ['no scheme', (token: string) => token],
    ['the scheme alone', () => 'Bearer'],
    ['the scheme and a space', () => 'Bearer '],
    ['no space', (token: string) => `Bearer${token}`],
    ['another scheme', (token: string) => `Basic ${token}`],
    ['a trailing word', (token: string) => `Bearer ${token} x`],
    ['two tokens', (token: string) => `Bearer ${token}, Bearer ${token}`],
    ['quotation marks', (token: string) => `Bearer "${token}"`],
  ])('with %s in the header is rejected', async (_name, headerOf) => {
    const headers = { ...members.visitor, authorization: headerOf(ann.token) }
    expect(await tryHeaders(headers)).toEqual(refusedEverywhere)
  })

  it.each(['bearer', 'BEARER', 'Bearer  '])('is accepted after %j', async (word) => {
    const headers = { ...members.visitor, authorization: `${word} ${ann.token}` }
    expect((await members.call('GET', '/member/json', { headers })).statusCode).toBe(200)
  })

  it('of one app is rejected in another, in both directions', async () => {
    const there = { ...elsewhere, authorization: `Bearer ${ann.token}` }
    expect(await tryHeaders(there)).toEqual(refusedEverywhere)
    const body = { email: 'ann@example.com', password: 'another-password' }
    const reply = await members.call('POST', '/auth/signup', { headers: elsewhere, body })
    const { accessToken } = reply.json().data.tokens
    expect(await tryToken(accessToken)).toEqual(refusedEverywhere)
    const own = { ...elsewhere, authorization: `Bearer ${accessToken}` }
    expect((await members.call('GET', '/member/json', { headers: own })).statusCode).toBe(200)
  })

  it('expires exactly after 14 days, cached or not', async () => {
    const expiresMs = testNow.getTime() + 14 * daySeconds * 1000
    site.clock.moveTo(new Date(expiresMs - 1))
    expect((await members.call('GET', '/member', { headers: ann.headers })).json().data.id).toBe(ann.memberId)
    site.clock.moveTo(new Date(expiresMs))
    expect(await tryHeaders(ann.headers)).toEqual(refusedEverywhere)
    site.clock.moveTo(testNow)
  })
})
