import { z } from 'zod'
import type { IdentityProviderConfig } from '../integrations/identity/identity-provider.ts'
import { parseJson } from '../platform/parse-json.ts'
import { ConfigurationError } from './env.ts'
import type { Settings } from './settings.ts'

type IdentitySettings = Settings['identity']

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

/** Returns the providers whose settings are complete, in the order of their buttons; throws naming what is missing. */
export function readIdentityProviders(settings: IdentitySettings): IdentityProviderConfig[] {
  const providers = [
    ...google(settings),
    ...microsoft(settings),
    ...apple(settings),
    ...github(settings),
    ...oidc(settings.oidc),
  ]
  const keys = providers.map(({ key }) => key)
  const duplicate = keys.find((key, index) => keys.indexOf(key) !== index)
  if (duplicate !== undefined)
    throw new ConfigurationError(`OIDC_PROVIDERS: the key '${duplicate}' is used twice`)
  return providers
}

function google({ google: { clientId, clientSecret } }: IdentitySettings): IdentityProviderConfig[] {
  if (!isComplete({ GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret })) return []
  return [{ key: 'google', name: 'Google', icon: null, kind: 'google', clientId, clientSecret }]
}

function microsoft({
  microsoft: { clientId, clientSecret, tenant },
}: IdentitySettings): IdentityProviderConfig[] {
  if (!isComplete({ MICROSOFT_CLIENT_ID: clientId, MICROSOFT_CLIENT_SECRET: clientSecret })) return []
  const issuer = `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/v2.0`
  return [
    { key: 'microsoft', name: 'Microsoft', icon: null, kind: 'microsoft', issuer, clientId, clientSecret },
  ]
}

function apple({
  apple: { clientId, teamId, keyId, privateKey },
}: IdentitySettings): IdentityProviderConfig[] {
  const settings = {
    APPLE_CLIENT_ID: clientId,
    APPLE_TEAM_ID: teamId,
    APPLE_KEY_ID: keyId,
    APPLE_PRIVATE_KEY: privateKey,
  }
  if (!isComplete(settings)) return []
  // An environment file has one line for each setting, so line ends are written as \n.
  const lines = privateKey.replaceAll('\\n', '\n')
  return [
    { key: 'apple', name: 'Apple', icon: null, kind: 'apple', clientId, teamId, keyId, privateKey: lines },
  ]
}

function github({ github: { clientId, clientSecret, url } }: IdentitySettings): IdentityProviderConfig[] {
  if (!isComplete({ GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret })) return []
  // The API of GitHub Enterprise is below its own address.
  const addresses = url === null ? {} : { siteUrl: url, apiUrl: `${url}/api/v3` }
  return [{ key: 'github', name: 'GitHub', icon: null, kind: 'github', clientId, clientSecret, ...addresses }]
}

function oidc(text: string): IdentityProviderConfig[] {
  if (text === '') return []
  const json = parseJson(text)
  if (json === undefined) throw new ConfigurationError('OIDC_PROVIDERS is not valid JSON')
  const result = oidcProvider.array().safeParse(json)
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigurationError(
      `OIDC_PROVIDERS must be a JSON list of { key, name, issuer, clientId, clientSecret, icon?, clientAuthentication? }:\n${lines.join('\n')}`,
    )
  }
  return result.data.map((provider) => ({ ...provider, kind: 'oidc' }))
}

/** Returns whether all of these settings are set; throws when only some are. */
function isComplete(settings: Readonly<Record<string, string>>): boolean {
  const missing = Object.keys(settings).filter((name) => settings[name] === '')
  if (missing.length === 0) return true
  if (missing.length === Object.keys(settings).length) return false
  throw new ConfigurationError(
    `${Object.keys(settings).join(', ')} belong together; missing: ${missing.join(', ')}`,
  )
}
