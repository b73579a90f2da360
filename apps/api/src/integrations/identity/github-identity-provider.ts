import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  fetchProtectedResource,
} from 'openid-client'
import { z } from 'zod'
import { parseJson } from '#platform/parse-json.ts'
import { checkCallback, readCallback } from './callback.ts'
import { identityFrom } from './claims.ts'
import { type Connection, isLocal } from './connection.ts'
import { withIdentityErrors } from './identity-errors.ts'
import { type IdentityProvider, IdentityRefusedError, IdentityUnavailableError } from './identity-provider.ts'

/** `siteUrl` and `apiUrl` end without a slash. */
type GithubSettings = {
  key: string
  clientId: string
  clientSecret: string
  siteUrl: string
  apiUrl: string
}

const userSchema = z.object({ id: z.int().positive(), name: z.string().nullish() })
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))
const refusalSchema = z.object({ error: z.string() })

/**
 * Creates the provider for GitHub over OAuth 2 with PKCE and state. Its API names the user; only the primary address
 * counts.
 */
export function createGithubIdentityProvider(
  settings: GithubSettings,
  connection: Connection,
): IdentityProvider {
  const { key, apiUrl } = settings
  const issuer = `${settings.siteUrl}/login/oauth`

  async function read<T>(
    configuration: Configuration,
    token: string,
    path: string,
    schema: z.ZodType<T>,
  ): Promise<T> {
    const headers = new Headers({ accept: 'application/vnd.github+json' })
    const url = new URL(`${apiUrl}${path}`)
    const reply = await fetchProtectedResource(configuration, token, url, 'GET', null, headers)
    if (!reply.ok) throw new IdentityUnavailableError(key, 'provider-error', `status ${reply.status}`)
    const parsed = schema.safeParse(parseJson(await reply.text()))
    if (!parsed.success) throw new IdentityRefusedError(key, 'malformed-response', path.slice(1))
    return parsed.data
  }

  return {
    key,
    usesFormPost: false,

    async start({ redirectUri, state, codeVerifier }) {
      const configuration = configurationOf(settings, issuer, connection)
      const parameters = {
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      }
      return withIdentityErrors(key, null, async () => buildAuthorizationUrl(configuration, parameters))
    },

    async finish(callback) {
      const { state, codeVerifier } = callback
      const parameters = readCallback(key, callback)
      checkCallback(key, parameters, { issuer, sendsIssuer: false })
      const configuration = configurationOf(settings, issuer, connection)
      const url = new URL(`${callback.redirectUri}?${parameters}`)
      return withIdentityErrors(key, 'malformed-response', async () => {
        const checks = { expectedState: state, pkceCodeVerifier: codeVerifier }
        const { access_token: token } = await authorizationCodeGrant(configuration, url, checks)
        const user = await read(configuration, token, '/user', userSchema)
        const emails = await read(configuration, token, '/user/emails', emailsSchema)
        const primary = emails.find((email) => email.primary)
        return identityFrom(String(user.id), primary?.email, primary?.verified, user.name)
      })
    },
  }
}

function configurationOf(settings: GithubSettings, issuer: string, connection: Connection): Configuration {
  const { clientId, clientSecret, siteUrl, apiUrl } = settings
  const server = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/access_token`,
  }
  const configuration = new Configuration(server, clientId, undefined, ClientSecretPost(clientSecret))
  configuration.timeout = connection.timeoutSeconds
  configuration[customFetch] = withStandardRefusals(connection.fetch ?? plainFetch)
  if ([siteUrl, apiUrl].every((url) => isLocal(new URL(url)))) allowInsecureRequests(configuration)
  return configuration
}

function plainFetch(...[url, { body = null, ...options }]: Parameters<CustomFetch>): Promise<Response> {
  return fetch(url, { ...options, body })
}

/** GitHub refuses a code with status 200, and the library expects the standard's 400. */
function withStandardRefusals(send: CustomFetch): CustomFetch {
  return async (url, options) => {
    const reply = await send(url, options)
    if (options.method !== 'POST' || reply.status !== 200) return reply
    const text = await reply.text()
    const isRefusal = refusalSchema.safeParse(parseJson(text)).success
    return new Response(text, { headers: reply.headers, status: isRefusal ? 400 : 200 })
  }
}
