import { z } from 'zod'
import type { IdentityProviderConfig } from '../integrations/identity/identity-provider.ts'
import { ConfigurationError, type Env } from './env.ts'

export type { IdentityProviderConfig } from '../integrations/identity/identity-provider.ts'

/** One entry of `OIDC_PROVIDERS`: any provider that speaks OpenID Connect with discovery. */
const oidcProvider = z.strictObject({
  key: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be small letters, digits and hyphens'),
  name: z.string().min(1).max(60),
  issuer: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  // Pages over https show no picture that comes without.
  icon: z
    .url({ protocol: /^https$/ })
    .nullable()
    .default(null),
  clientAuthentication: z.enum(['client_secret_post', 'client_secret_basic']).default('client_secret_post'),
})

/** The providers whose settings are complete, in the order in which they are offered; throws naming what is not. */
export function readIdentityProviders(env: Env): IdentityProviderConfig[] {
  const providers = [
    ...google(env),
    ...microsoft(env),
    ...apple(env),
    ...github(env),
    ...oidc(env.OIDC_PROVIDERS),
  ]
  const keys = providers.map(({ key }) => key)
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  if (twice !== undefined) throw new ConfigurationError(`OIDC_PROVIDERS: the key '${twice}' is there twice`)
  return providers
}

function google(env: Env): IdentityProviderConfig[] {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = env
  if (!allOrNone({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET })) return []
  return [
    {
      ...named('google', 'Google'),
      kind: 'google',
      clientId: GOOGLE_CLIENT_ID,
      clientSecret: GOOGLE_CLIENT_SECRET,
    },
  ]
}

function microsoft(env: Env): IdentityProviderConfig[] {
  const { MICROSOFT_CLIENT_ID, MICROSOFT_CLIENT_SECRET, MICROSOFT_TENANT } = env
  if (!allOrNone({ MICROSOFT_CLIENT_ID, MICROSOFT_CLIENT_SECRET })) return []
  return [
    {
      ...named('microsoft', 'Microsoft'),
      kind: 'microsoft',
      issuer: `https://login.microsoftonline.com/${encodeURIComponent(MICROSOFT_TENANT)}/v2.0`,
      clientId: MICROSOFT_CLIENT_ID,
      clientSecret: MICROSOFT_CLIENT_SECRET,
    },
  ]
}

function apple(env: Env): IdentityProviderConfig[] {
  const { APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY } = env
  if (!allOrNone({ APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY })) return []
  return [
    {
      ...named('apple', 'Apple'),
      kind: 'apple',
      clientId: APPLE_CLIENT_ID,
      teamId: APPLE_TEAM_ID,
      keyId: APPLE_KEY_ID,
      // A file of settings has one line for each, so line ends are written as \n.
      privateKey: APPLE_PRIVATE_KEY.replaceAll('\\n', '\n'),
    },
  ]
}

function github(env: Env): IdentityProviderConfig[] {
  const { GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, GITHUB_URL } = env
  if (!allOrNone({ GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET })) return []
  return [
    {
      ...named('github', 'GitHub'),
      kind: 'github',
      clientId: GITHUB_CLIENT_ID,
      clientSecret: GITHUB_CLIENT_SECRET,
      // A GitHub Enterprise has its API under a path of its own.
      ...(GITHUB_URL === undefined ? {} : { siteUrl: GITHUB_URL, apiUrl: `${GITHUB_URL}/api/v3` }),
    },
  ]
}

function oidc(text: string): IdentityProviderConfig[] {
  if (text === '') return []
  const result = oidcProvider.array().safeParse(parseJson(text))
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigurationError(
      `OIDC_PROVIDERS must be a JSON list of { key, name, issuer, clientId, clientSecret, icon?, clientAuthentication? }:\n${lines.join('\n')}`,
    )
  }
  return result.data.map((provider) => ({ ...provider, kind: 'oidc' }))
}

function named(key: string, name: string) {
  return { key, name, icon: null }
}

/** Whether all of these settings are given; throws when only some are. */
function allOrNone(settings: Readonly<Record<string, string>>): boolean {
  const missing = Object.keys(settings).filter((name) => settings[name] === '')
  if (missing.length === 0) return true
  if (missing.length === Object.keys(settings).length) return false
  throw new ConfigurationError(
    `${Object.keys(settings).join(', ')} belong together; missing: ${missing.join(', ')}`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ConfigurationError('OIDC_PROVIDERS is not valid JSON')
  }
}
