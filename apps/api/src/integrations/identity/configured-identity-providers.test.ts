import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, exportPKCS8, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import type { CustomFetch } from 'openid-client'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createIdentityProviders, newFlowSecrets } from './configured-identity-providers.ts'

import type { IdentityProviderConfig } from './identity-provider.ts'

const redirectUri = 'https://news.example/auth-provider/callback/one'
const client = { key: 'one', name: 'One', icon: null, clientId: 'our-client' }
const withSecret = { ...client, clientSecret: 'our-secret' }
const anyOidc = { ...withSecret, kind: 'oidc', clientAuthentication: 'client_secret_post' } as const

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>
type Request = { headers: IncomingHttpHeaders; form: URLSearchParams }

let keys: KeyPair
let server: Server
/** What the provider says its name is. */
let issuer: string
let claims: Record<string, unknown>
/** What it tells about itself in place of the usual. */
let metadata: Record<string, unknown>
let userInfo: Record<string, unknown>
let lastTokenRequest: Request
/** Asks the server of this test, whatever the machine in the address. */
let fetchHere: CustomFetch

beforeAll(async () => {
  keys = await generateKeyPair('RS256', { extractable: true })
})

// A provider that says what a test has it say: those of the large houses have ways of their own.
beforeEach(async () => {
  metadata = {}
  server = createServer(async (request, response) => {
    const body = await text(request)
    const answer = async () => {
      const { pathname } = new URL(request.url ?? '', issuer)
      if (pathname.endsWith('/.well-known/openid-configuration')) return discovered()
      if (pathname === '/keys') return { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k' }] }
      if (pathname === '/me') return userInfo
      lastTokenRequest = { headers: request.headers, form: new URLSearchParams(body) }
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(keys.privateKey)
      return { access_token: 'access', token_type: 'Bearer', id_token: token }
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(await answer()))
  })
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await listening
  const address = server.address()
  const here = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  fetchHere = (url, { body = null, ...options }) => {
    const { pathname, search } = new URL(url)
    return fetch(`${here}${pathname}${search}`, { ...options, body })
  }
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

function discovered() {
  const { origin } = new URL(issuer)
  return {
    issuer,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/keys`,
    userinfo_endpoint: `${origin}/me`,
    id_token_signing_alg_values_supported: ['RS256'],
    ...metadata,
  }
}

/** One whole sign-in at the provider with these settings, which answers with these claims. */
async function signedIn(
  config: IdentityProviderConfig,
  said: Record<string, unknown>,
  form?: Record<string, string>,
) {
  const provider = createIdentityProviders([config], { fetch: fetchHere }).get('one')
  if (!provider) throw new Error('no provider')
  const flow = { ...newFlowSecrets(), redirectUri }
  claims = { iss: issuer, aud: 'our-client', sub: 'subject-1', nonce: flow.nonce, ...said }
  const begin = await provider.start(flow)
  const answer = new URLSearchParams({ code: 'the-code', state: flow.state, ...form })
  const url = new URL(form ? redirectUri : `${redirectUri}?${answer}`)
  const identity = await provider.finish({ ...flow, url, ...(form && { body: answer }) })
  return { provider, begin, identity }
}

describe('createIdentityProviders', () => {
  it('has each provider under its key, in the order of the settings', () => {
    const second = { ...withSecret, kind: 'google' as const, key: 'second' }
    const first = { ...withSecret, kind: 'github' as const, key: 'first' }
    const providers = createIdentityProviders([first, second])
    expect([...providers.keys()]).toEqual(['first', 'second'])
    expect(providers.get('second')?.key).toBe('second')
  })
})

describe('Google', () => {
  const google = { ...withSecret, kind: 'google' as const }
  beforeEach(() => {
    issuer = 'https://accounts.google.com'
  })

  it('is taken at its word about an address', async () => {
    const said = { email: 'ann@example.com', email_verified: true, name: 'Ann', azp: 'our-client' }
    const { begin, identity } = await signedIn(google, said)
    expect(begin.origin).toBe('https://accounts.google.com')
    expect(identity).toEqual({
      subject: 'subject-1',
      email: 'ann@example.com',
      emailVerified: true,
      name: 'Ann',
    })
    expect(lastTokenRequest.form.get('client_secret')).toBe('our-secret')
  })
})

describe('any OpenID Connect provider', () => {
  const oidc = { ...anyOidc, issuer: 'https://identity.example' }
  beforeEach(() => {
    issuer = 'https://identity.example'
  })

  it('is asked for the address that its token does not carry', async () => {
    userInfo = { sub: 'subject-1', email: 'ann@example.com', email_verified: true, name: 'Ann' }
    const { identity } = await signedIn(oidc, {})
    expect(identity).toMatchObject({ email: 'ann@example.com', emailVerified: true, name: 'Ann' })
  })

  it('may not tell about somebody else', async () => {
    userInfo = { sub: 'subject-2', email: 'ann@example.com', email_verified: true }
    await expect(signedIn(oidc, {})).rejects.toMatchObject({ reason: 'wrong-answer' })
  })

  it('may not call an address verified that its token does not', async () => {
    userInfo = { sub: 'subject-1', email: 'ann@example.com', email_verified: true }
    const { identity } = await signedIn(oidc, { email: 'eve@example.com' })
    expect(identity).toMatchObject({ email: 'eve@example.com', emailVerified: false })
  })

  it('gets the secret in a header where that is set', async () => {
    await signedIn({ ...oidc, clientAuthentication: 'client_secret_basic' }, { email: 'ann@example.com' })
    const { headers, form } = lastTokenRequest
    const [, encoded = ''] = headers.authorization?.split('Basic ') ?? []
    expect(decodeURIComponent(atob(encoded))).toBe('our-client:our-secret')
    expect(form.has('client_secret')).toBe(false)
  })

  it('is not spoken to without TLS on another machine', async () => {
    issuer = 'http://identity.example'
    await expect(signedIn({ ...oidc, issuer }, {})).rejects.toMatchObject({ reason: 'misconfigured' })
  })
})

describe('a provider that tells nothing usable about itself', () => {
  const oidc = { ...anyOidc, issuer: 'https://identity.example' }
  beforeEach(() => {
    issuer = 'https://identity.example'
  })

  it.each([
    ['no place to sign in', { authorization_endpoint: undefined }],
    ['a place without TLS', { authorization_endpoint: 'http://identity.example/authorize' }],
    ['a place that is a script', { authorization_endpoint: 'javascript:alert(1)' }],
    ['another name', { issuer: 'https://another.example' }],
  ])('counts as misconfigured: %s', async (_what, told) => {
    metadata = told
    await expect(signedIn(oidc, {})).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'misconfigured',
    })
  })
})

describe('Microsoft', () => {
  const microsoft = { ...withSecret, kind: 'microsoft' as const }
  const tenant = '9188040d-6c67-4c5b-b112-36a304b66dad'
  beforeEach(() => {
    issuer = 'https://login.microsoftonline.com/{tenantid}/v2.0'
  })
  const ofTenant = (tid: string) => ({ iss: `https://login.microsoftonline.com/${tid}/v2.0`, tid: tenant })

  it('signs people of every tenant in, each as somebody of their own tenant', async () => {
    const { begin, identity } = await signedIn(microsoft, { ...ofTenant(tenant), name: 'Ann' })
    expect(begin.origin).toBe('https://login.microsoftonline.com')
    expect(identity).toEqual({
      subject: `${tenant}.subject-1`,
      email: null,
      emailVerified: false,
      name: 'Ann',
    })
  })

  it('may not speak for another tenant', async () => {
    await expect(signedIn(microsoft, ofTenant('another-tenant'))).rejects.toMatchObject({
      reason: 'wrong-token',
      detail: 'jwt-claim-comparison-failed iss',
    })
  })

  it.each([
    ['nothing is said about its domain', {}, false],
    ['it only calls it verified', { email_verified: true }, false],
    ['the domain is not the tenant’s', { xms_edov: false }, false],
    ['the domain is the tenant’s', { xms_edov: true }, true],
    ['the domain is the tenant’s, written another way', { xms_edov: '1' }, true],
  ])('has an address count as verified or not: %s', async (_what, said, emailVerified) => {
    const { identity } = await signedIn(microsoft, { ...ofTenant(tenant), email: 'ann@example.com', ...said })
    expect(identity).toMatchObject({ email: 'ann@example.com', emailVerified })
  })
})

describe('Apple', () => {
  let appleKeys: KeyPair
  let apple: Extract<IdentityProviderConfig, { kind: 'apple' }>
  beforeEach(async () => {
    issuer = 'https://appleid.apple.com'
    appleKeys = await generateKeyPair('ES256', { extractable: true })
    const privateKey = await exportPKCS8(appleKeys.privateKey)
    apple = { ...client, kind: 'apple', teamId: 'TEAM', keyId: 'KEY', privateKey }
  })
  const said = { email: 'ann@privaterelay.example', email_verified: 'true' }

  it('posts its answer, with a name at the first time', async () => {
    const user = JSON.stringify({ name: { firstName: 'Ann', lastName: 'Lee' }, email: 'eve@example.com' })
    const { provider, begin, identity } = await signedIn(apple, said, { user })
    expect(provider.usesFormPost).toBe(true)
    expect(begin.searchParams.get('response_mode')).toBe('form_post')
    expect(identity).toEqual({
      subject: 'subject-1',
      email: 'ann@privaterelay.example',
      emailVerified: true,
      name: 'Ann Lee',
    })
  })

  it.each([['{'], ['[]'], ['{"name":"Ann"}'], ['{"name":{"firstName":7}}']])(
    'is believed about who it is though its form says %s',
    async (user) => {
      const { identity } = await signedIn(apple, said, { user })
      expect(identity).toMatchObject({ email: 'ann@privaterelay.example', name: null })
    },
  )

  it('gets a secret that we signed', async () => {
    await signedIn(apple, said, {})
    const { form } = lastTokenRequest
    expect(form.get('client_id')).toBe('our-client')
    const secret = await jwtVerify(form.get('client_secret') ?? '', appleKeys.publicKey, {
      issuer: 'TEAM',
      subject: 'our-client',
      audience: 'https://appleid.apple.com',
    })
    expect(secret.protectedHeader).toMatchObject({ alg: 'ES256', kid: 'KEY' })
    expect((secret.payload.exp ?? 0) - (secret.payload.iat ?? 0)).toBe(300)
  })

  it('says that the key is none', async () => {
    await expect(signedIn({ ...apple, privateKey: 'none' }, said, {})).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'misconfigured',
      detail: 'private-key',
    })
  })
})
