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
/** The issuer that the provider returns. */
let issuer: string
let claims: Record<string, unknown>
/** Overrides of its discovery document. */
let metadata: Record<string, unknown>
let userInfo: Record<string, unknown>
let lastTokenRequest: Request
/** Sends every request to this test's server, whatever its host. */
let fetchHere: CustomFetch

beforeAll(async () => {
  keys = await generateKeyPair('RS256', { extractable: true })
})

// A scripted provider, because the large providers deviate from the standard.
beforeEach(async () => {
  metadata = {}
  server = createServer(async (request, response) => {
    const body = await text(request)
    const resultOf = async () => {
      const { pathname } = new URL(request.url ?? '', issuer)
      if (pathname.endsWith('/.well-known/openid-configuration')) return discoveryDocument()
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
    response.setHeader('content-type', 'application/json').end(JSON.stringify(await resultOf()))
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

function discoveryDocument() {
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

/** Signs in at a provider with these settings, which returns these claims. */
async function signedIn(
  config: IdentityProviderConfig,
  returnedClaims: Record<string, unknown>,
  form?: Record<string, string>,
) {
  const provider = createIdentityProviders([config], { fetch: fetchHere }).get('one')
  if (!provider) throw new Error('no provider')
  const flow = { ...newFlowSecrets(), redirectUri }
  claims = { iss: issuer, aud: 'our-client', sub: 'subject-1', nonce: flow.nonce, ...returnedClaims }
  const begin = await provider.start(flow)
  const parameters = new URLSearchParams({ code: 'the-code', state: flow.state, ...form })
  const url = new URL(form ? redirectUri : `${redirectUri}?${parameters}`)
  const identity = await provider.finish({ ...flow, url, ...(form && { body: parameters }) })
  return { provider, begin, identity }
}

describe('createIdentityProviders', () => {
  it('returns each provider by key, in the order of the settings', () => {
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

  it('is trusted about a verified address', async () => {
    const returnedClaims = { email: 'ann@example.com', email_verified: true, name: 'Ann', azp: 'our-client' }
    const { begin, identity } = await signedIn(google, returnedClaims)
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

describe('an OpenID Connect provider', () => {
  const oidc = { ...anyOidc, issuer: 'https://identity.example' }
  beforeEach(() => {
    issuer = 'https://identity.example'
  })

  it('provides the address by userinfo if the token has none', async () => {
    userInfo = { sub: 'subject-1', email: 'ann@example.com', email_verified: true, name: 'Ann' }
    const { identity } = await signedIn(oidc, {})
    expect(identity).toMatchObject({ email: 'ann@example.com', emailVerified: true, name: 'Ann' })
  })

  it('cannot return the userinfo of another subject', async () => {
    userInfo = { sub: 'subject-2', email: 'ann@example.com', email_verified: true }
    await expect(signedIn(oidc, {})).rejects.toMatchObject({ reason: 'malformed-response' })
  })

  it('cannot verify an address by userinfo that its token does not verify', async () => {
    userInfo = { sub: 'subject-1', email: 'ann@example.com', email_verified: true }
    const { identity } = await signedIn(oidc, { email: 'eve@example.com' })
    expect(identity).toMatchObject({ email: 'eve@example.com', emailVerified: false })
  })

  it('gets the secret in a header if configured', async () => {
    await signedIn({ ...oidc, clientAuthentication: 'client_secret_basic' }, { email: 'ann@example.com' })
    const { headers, form } = lastTokenRequest
    const [, encoded = ''] = headers.authorization?.split('Basic ') ?? []
    expect(decodeURIComponent(atob(encoded))).toBe('our-client:our-secret')
    expect(form.has('client_secret')).toBe(false)
  })

  it('is not called without TLS on another host', async () => {
    issuer = 'http://identity.example'
    await expect(signedIn({ ...oidc, issuer }, {})).rejects.toMatchObject({ reason: 'misconfigured' })
  })
})

describe('a provider with an invalid discovery document', () => {
  const oidc = { ...anyOidc, issuer: 'https://identity.example' }
  beforeEach(() => {
    issuer = 'https://identity.example'
  })

  it.each([
    ['no authorization endpoint', { authorization_endpoint: undefined }],
    [
      'an authorization endpoint without TLS',
      { authorization_endpoint: 'http://identity.example/authorize' },
    ],
    ['a javascript: authorization endpoint', { authorization_endpoint: 'javascript:alert(1)' }],
    ['another issuer', { issuer: 'https://another.example' }],
  ])('is misconfigured: %s', async (_what, discovery) => {
    metadata = discovery
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

  it('accepts every tenant and makes subjects unique to their tenant', async () => {
    const { begin, identity } = await signedIn(microsoft, { ...ofTenant(tenant), name: 'Ann' })
    expect(begin.origin).toBe('https://login.microsoftonline.com')
    expect(identity).toEqual({
      subject: `${tenant}.subject-1`,
      email: null,
      emailVerified: false,
      name: 'Ann',
    })
  })

  it('rejects a token of another tenant', async () => {
    await expect(signedIn(microsoft, ofTenant('another-tenant'))).rejects.toMatchObject({
      reason: 'wrong-token',
      detail: 'jwt-claim-comparison-failed iss',
    })
  })

  it.each([
    ['without a domain claim', {}, false],
    ['with email_verified only', { email_verified: true }, false],
    ['with a domain that the tenant does not own', { xms_edov: false }, false],
    ['with a domain that the tenant owns', { xms_edov: true }, true],
    ['with a domain that the tenant owns, as a string', { xms_edov: '1' }, true],
  ])('determines whether an address is verified: %s', async (_what, returnedClaims, emailVerified) => {
    const { identity } = await signedIn(microsoft, {
      ...ofTenant(tenant),
      email: 'ann@example.com',
      ...returnedClaims,
    })
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
  const returnedClaims = { email: 'ann@privaterelay.example', email_verified: 'true' }

  it('posts its response, with a name the first time', async () => {
    const user = JSON.stringify({ name: { firstName: 'Ann', lastName: 'Lee' }, email: 'eve@example.com' })
    const { provider, begin, identity } = await signedIn(apple, returnedClaims, { user })
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
    'returns the identity despite the invalid user field %s',
    async (user) => {
      const { identity } = await signedIn(apple, returnedClaims, { user })
      expect(identity).toMatchObject({ email: 'ann@privaterelay.example', name: null })
    },
  )

  it('gets a client secret signed with our key', async () => {
    await signedIn(apple, returnedClaims, {})
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

  it('reports an invalid private key', async () => {
    await expect(signedIn({ ...apple, privateKey: 'none' }, returnedClaims, {})).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'misconfigured',
      detail: 'private-key',
    })
  })
})
