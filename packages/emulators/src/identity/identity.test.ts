import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Emulators, startEmulators } from '../emulators.ts'
import { signIn } from './sign-in.ts'

const now = () => new Date('2026-11-20T18:00:00Z')
const callback = 'http://localhost:3000/auth-provider/callback/local'
const verifier = 'a-verifier-of-at-least-forty-three-characters'
const challenge = createHash('sha256').update(verifier).digest('base64url')

let emulators: Emulators
beforeAll(async () => {
  const redirectOrigins = ['https://news.example.com']
  emulators = await startEmulators({ host: '127.0.0.1', port: 0, smtpPort: 0, now, redirectOrigins })
})
afterAll(() => emulators.stop())

/** Returns the address where a sign-in starts, without empty parameters. */
function authorizeUrl(parameters: Record<string, string> = {}, path = '/identity/auth') {
  const all = {
    client_id: 'tidings-local',
    response_type: 'code',
    redirect_uri: callback,
    scope: 'openid email profile',
    state: 'the-state',
    nonce: 'the-nonce',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...parameters,
  }
  const given = Object.entries(all).filter(([, value]) => value !== '')
  return new URL(`${path}?${new URLSearchParams(given)}`, emulators.identityUrl)
}

async function jsonOf(reply: Response) {
  return JSON.parse(await reply.text())
}

async function post(path: string, form: Record<string, string>) {
  const body = new URLSearchParams(form)
  const reply = await fetch(new URL(path, emulators.identityUrl), { method: 'POST', body })
  return { status: reply.status, body: await jsonOf(reply) }
}

function exchange(url: URL, changes: Record<string, string> = {}) {
  const client = { client_id: 'tidings-local', client_secret: 'local-secret', code_verifier: verifier }
  const code = url.searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', redirect_uri: callback, code, ...client, ...changes }
  return post('/identity/token', form)
}

function claimsOf(token: string) {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

describe('the local provider', () => {
  test('is an issuer at each local name', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const issuer = emulators.identityUrl.replace('127.0.0.1', host)
      const reply = await fetch(`${issuer}/.well-known/openid-configuration`)
      const told = await jsonOf(reply)
      expect(told).toMatchObject({
        issuer,
        token_endpoint: `${issuer}/token`,
        response_types_supported: ['code'],
      })
      expect((await fetch(told.jwks_uri)).status).toBe(200)
    }
  })

  test('rejects a name of another machine', async () => {
    const { hostname: host, port } = new URL(emulators.identityUrl)
    const path = '/identity/.well-known/openid-configuration'
    const asking = request({ host, port, path, headers: { host: 'evil.example' } }).end()
    const [reply] = await once(asking, 'response')
    expect(reply.statusCode).toBe(421)
    reply.resume()
  })

  test('signs in the selected person', async () => {
    const { url } = await signIn(authorizeUrl(), { person: 'cleo' })
    expect(`${url.origin}${url.pathname}`).toBe(callback)
    expect(url.searchParams.get('state')).toBe('the-state')
    expect(url.searchParams.get('iss')).toBe(emulators.identityUrl)
    const { status, body } = await exchange(url)
    expect(status).toBe(200)
    expect(claimsOf(body.id_token)).toMatchObject({
      iss: emulators.identityUrl,
      aud: 'tidings-local',
      nonce: 'the-nonce',
      email: 'cleo@example.com',
      email_verified: false,
      name: 'Cleo Lindqvist',
    })
  })

  test('asks for the person at every sign-in', async () => {
    const first = await signIn(authorizeUrl(), { person: 'ada' })
    const second = await signIn(authorizeUrl(), { person: 'ben' })
    const emails = await Promise.all(
      [first, second].map(async ({ url }) => claimsOf((await exchange(url)).body.id_token).email),
    )
    expect(emails).toEqual(['ada@example.com', 'ben@example.com'])
  })

  test('redirects a cancellation with access_denied', async () => {
    const { url } = await signIn(authorizeUrl(), { answer: 'cancel' })
    expect(url.searchParams.get('error')).toBe('access_denied')
    expect(url.searchParams.get('state')).toBe('the-state')
  })

  test('posts the result with response_mode=form_post', async () => {
    const { url, body } = await signIn(authorizeUrl({ response_mode: 'form_post' }), { person: 'ada' })
    expect(url.href).toBe(callback)
    expect(body?.get('state')).toBe('the-state')
    expect(body?.get('code')).toBeTruthy()
  })

  test('an invalid address can be corrected', async () => {
    await expect(signIn(authorizeUrl(), { person: 'other', email: 'eve' })).rejects.toThrow(
      'Enter a valid email address.',
    )
  })

  test('escapes the rejected form', async () => {
    const url = authorizeUrl({ login_hint: '"><script>alert(1)</script>' })
    await expect(signIn(url, { person: 'other', email: '"><script>' })).rejects.toThrow(
      'value="&quot;&gt;&lt;script',
    )
  })

  test('rejects a request without a code challenge', async () => {
    const url = authorizeUrl({ code_challenge: '', code_challenge_method: '' })
    const reply = await fetch(url, { redirect: 'manual' })
    expect(new URL(reply.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_request')
  })

  test.each([
    ['a wrong verifier', { code_verifier: 'b-verifier-of-at-least-forty-three-characters' }, 'invalid_grant'],
    ['a wrong secret', { client_secret: 'wrong' }, 'invalid_client'],
    ['another callback', { redirect_uri: `${callback}2` }, 'invalid_grant'],
  ])('a code is not exchanged for %s', async (_what, changes, error) => {
    const { url } = await signIn(authorizeUrl(), { person: 'ada' })
    expect((await exchange(url, changes)).body.error).toBe(error)
  })

  test('a code is exchanged once', async () => {
    const { url } = await signIn(authorizeUrl(), { person: 'ada' })
    expect((await exchange(url)).status).toBe(200)
    expect((await exchange(url)).body.error).toBe('invalid_grant')
  })

  test.each([
    'http://localhost:41234/auth-provider/callback/local',
    'http://127.0.0.1:5173/auth-provider/callback/local',
    'https://news.example.com/auth-provider/callback/local',
  ])('redirects to %s', async (address) => {
    const { url } = await signIn(authorizeUrl({ redirect_uri: address }), { person: 'ada' })
    expect(`${url.origin}${url.pathname}`).toBe(address)
  })

  test.each([
    'https://evil.example/auth-provider/callback/local',
    'http://localhost.evil.example/auth-provider/callback/local',
    'http://localhost:3000/elsewhere',
    'http://localhost:3000/auth-provider/callback/local?to=elsewhere',
    'http://someone@localhost:3000/auth-provider/callback/local',
    'javascript:alert(1)',
  ])('does not redirect to %s', async (address) => {
    for (const path of ['/identity/auth', '/github/login/oauth/authorize']) {
      const reply = await fetch(authorizeUrl({ redirect_uri: address }, path), { redirect: 'manual' })
      expect(reply.status).toBe(400)
      expect(await reply.text()).toContain('Sign-in failed')
    }
  })

  test('the login page of an expired sign-in says so', async () => {
    const reply = await fetch(`${emulators.identityUrl}/login/unknown`)
    expect(reply.status).toBe(400)
    expect(await reply.text()).toContain('This sign-in has expired')
  })

  test('a fault spoils one response', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ fault: 'wrong-nonce' })
    expect((await fetch(`${emulators.identityUrl}/next`, { method: 'POST', headers, body })).status).toBe(204)
    const nonces: unknown[] = []
    for (const person of ['ada', 'ada']) {
      const { url } = await signIn(authorizeUrl(), { person })
      nonces.push(claimsOf((await exchange(url)).body.id_token).nonce)
    }
    expect(nonces).toEqual(['another', 'the-nonce'])
  })

  test.each(['/identity/next', '/github/next'])('%s lists the known faults', async (path) => {
    const headers = { 'content-type': 'application/json' }
    const address = new URL(path, emulators.identityUrl)
    const reply = await fetch(address, { method: 'POST', headers, body: '{"fault":"odd"}' })
    expect(reply.status).toBe(400)
    expect((await jsonOf(reply)).error.message).toContain('server-error')
  })

  test('its page shows the client, and the inbox links to it', async () => {
    const page = await (await fetch(emulators.identityUrl)).text()
    expect(page).toContain(emulators.identityUrl)
    expect(page).toContain('tidings-local')
    expect(await (await fetch(emulators.inboxUrl)).text()).toContain('href="/identity"')
  })
})

describe('the GitHub emulator', () => {
  const github = (path: string, token: string) =>
    fetch(`${emulators.githubUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })

  async function tokenFor(scope: string, changes: Record<string, string> = {}) {
    const { url } = await signIn(authorizeUrl({ scope }, '/github/login/oauth/authorize'), { person: 'cleo' })
    const client = { client_id: 'tidings-local', client_secret: 'local-secret', code_verifier: verifier }
    const code = url.searchParams.get('code') ?? ''
    return post('/github/login/oauth/access_token', { redirect_uri: callback, code, ...client, ...changes })
  }

  test('returns the person and their addresses', async () => {
    const { body } = await tokenFor('read:user user:email')
    const user = await jsonOf(await github('/user', body.access_token))
    expect(user).toMatchObject({ id: expect.any(Number), name: 'Cleo Lindqvist', email: null })
    const emails = await jsonOf(await github('/user/emails', body.access_token))
    expect(emails).toContainEqual(
      expect.objectContaining({ email: 'cleo@example.com', primary: true, verified: false }),
    )
  })

  test('returns addresses only with their scope', async () => {
    const { body } = await tokenFor('read:user')
    expect((await github('/user/emails', body.access_token)).status).toBe(404)
  })

  test('rejects an unknown token', async () => {
    expect((await github('/user', 'gho_0')).status).toBe(401)
    expect((await github('/user/emails', 'gho_0')).status).toBe(401)
  })

  test.each([
    ['a wrong verifier', { code_verifier: 'wrong' }, 'bad_verification_code'],
    ['a wrong secret', { client_secret: 'wrong' }, 'incorrect_client_credentials'],
    ['another callback', { redirect_uri: `${callback}2` }, 'redirect_uri_mismatch'],
    ['an unknown code', { code: 'code_0' }, 'bad_verification_code'],
  ])('a code is not exchanged for %s, with status 200', async (_what, changes, error) => {
    expect(await tokenFor('read:user', changes)).toMatchObject({ status: 200, body: { error } })
  })
})
