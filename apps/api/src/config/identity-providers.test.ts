import { describe, expect, it } from 'vitest'
import { ConfigurationError, readSettings } from './env.ts'
import { readIdentityProviders } from './identity-providers.ts'

const google = { GOOGLE_CLIENT_ID: 'google-id', GOOGLE_CLIENT_SECRET: 'hunter2' }
const microsoft = { MICROSOFT_CLIENT_ID: 'microsoft-id', MICROSOFT_CLIENT_SECRET: 'hunter2' }
const apple = {
  APPLE_CLIENT_ID: 'apple-id',
  APPLE_TEAM_ID: 'TEAM',
  APPLE_KEY_ID: 'KEY',
  APPLE_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----\\nhunter2\\n-----END PRIVATE KEY-----',
}
const github = { GITHUB_CLIENT_ID: 'github-id', GITHUB_CLIENT_SECRET: 'hunter2' }
const local = {
  key: 'local',
  name: 'Local',
  issuer: 'http://localhost:3001/identity',
  clientId: 'tidings-local',
  clientSecret: 'hunter2',
}

function providersOf(environment: Record<string, string>) {
  return readIdentityProviders(readSettings(environment).identity)
}

function oidc(...providers: unknown[]): Record<string, string> {
  return { OIDC_PROVIDERS: JSON.stringify(providers) }
}

/** Returns the error message for these settings. */
function refusalOf(environment: Record<string, string>): string {
  try {
    providersOf(environment)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message
    throw error
  }
  throw new Error('The settings were accepted')
}

describe('readIdentityProviders', () => {
  it('returns no provider without settings', () => {
    expect(providersOf({})).toEqual([])
  })

  it('returns the configured providers in a fixed order', () => {
    const all = providersOf({ ...oidc(local), ...github, ...apple, ...microsoft, ...google })
    expect(all.map(({ key, name, kind }) => [key, name, kind])).toEqual([
      ['google', 'Google', 'google'],
      ['microsoft', 'Microsoft', 'microsoft'],
      ['apple', 'Apple', 'apple'],
      ['github', 'GitHub', 'github'],
      ['local', 'Local', 'oidc'],
    ])
  })

  it.each([
    ['common', 'https://login.microsoftonline.com/common/v2.0'],
    ['contoso.example', 'https://login.microsoftonline.com/contoso.example/v2.0'],
    ['../evil', 'https://login.microsoftonline.com/..%2Fevil/v2.0'],
  ])('returns the issuer of the Microsoft tenant %s', (tenant, issuer) => {
    expect(providersOf({ ...microsoft, MICROSOFT_TENANT: tenant })[0]).toMatchObject({ issuer })
  })

  it("decodes line breaks in Apple's key", () => {
    expect(providersOf(apple)[0]).toMatchObject({
      teamId: 'TEAM',
      keyId: 'KEY',
      privateKey: '-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----',
    })
  })

  it('derives the API of a GitHub Enterprise server', () => {
    expect(providersOf(github)[0]).not.toHaveProperty('siteUrl')
    expect(providersOf({ ...github, GITHUB_URL: 'https://git.example.com' })[0]).toMatchObject({
      siteUrl: 'https://git.example.com',
      apiUrl: 'https://git.example.com/api/v3',
    })
  })

  it('accepts several OpenID Connect providers, with or without an icon', () => {
    const icon = 'https://id.example/icon.svg'
    const providers = providersOf(oidc(local, { ...local, key: 'other-1', icon }))
    expect(providers.map(({ key, icon: shown }) => [key, shown])).toEqual([
      ['local', null],
      ['other-1', icon],
    ])
  })

  it.each(['client_secret_post', 'client_secret_basic'])('accepts the client authentication %s', (way) => {
    expect(providersOf(oidc({ ...local, clientAuthentication: way }))[0]).toMatchObject({
      clientAuthentication: way,
    })
  })

  it.each(
    [google, microsoft, apple, github].flatMap((settings) =>
      Object.keys(settings).map((name) => [name, settings] as const),
    ),
  )('rejects a provider without %s and includes no secret in the error', (name, settings) => {
    const refusal = refusalOf({ ...settings, [name]: '' })
    expect(refusal).toContain(`missing: ${name}`)
    expect(refusal).not.toContain('hunter2')
  })

  it.each([
    ['that is not JSON', { OIDC_PROVIDERS: '[{' }, 'not valid JSON'],
    ['that is not a list', { OIDC_PROVIDERS: '{}' }, 'JSON list'],
    ['of strings', oidc('local'), '0'],
    ['with a key that is not URL-safe', oidc({ ...local, key: 'My Provider' }), '0.key'],
    ['with an empty key', oidc({ ...local, key: '' }), '0.key'],
    ['with a path as its key', oidc({ ...local, key: '../login' }), '0.key'],
    ['without a name', oidc({ ...local, name: undefined }), '0.name'],
    ['without a secret', oidc(local, { ...local, clientSecret: '' }), '1.clientSecret'],
    ['with an issuer that is not a URL', oidc({ ...local, issuer: 'localhost' }), '0.issuer'],
    ['with a file: issuer', oidc({ ...local, issuer: 'file:///etc/passwd' }), '0.issuer'],
    ['with a javascript: icon', oidc({ ...local, icon: 'javascript:alert(1)' }), '0.icon'],
    ['with an http: icon', oidc({ ...local, icon: 'http://id.example/i' }), '0.icon'],
    ['with an unknown client authentication', oidc({ ...local, clientAuthentication: 'none' }), '0.clientA'],
    ['with a misspelled key', oidc({ ...local, clientSecrets: 'x' }), 'clientSecrets'],
    ['with a duplicate key', oidc(local, local), "'local' is used twice"],
    ['with the key of a built-in provider', { ...google, ...oidc({ ...local, key: 'google' }) }, "'google'"],
  ])('rejects a list %s and names the error', (_name, environment, word) => {
    const refusal = refusalOf(environment)
    expect(refusal).toContain('OIDC_PROVIDERS')
    expect(refusal).toContain(word)
    expect(refusal).not.toContain('hunter2')
  })
})
