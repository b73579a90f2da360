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
import { parametersOf, requireAnswerOf, requireState } from './callback-checks.ts'
import { identityFrom } from './claims.ts'
import { type Connection, isOnThisMachine } from './connection.ts'
import { inRoleWords } from './identity-failures.ts'
import { type IdentityProvider, IdentityRefusedError, IdentityUnavailableError } from './identity-provider.ts'
import { parsedJson } from './parsed-json.ts'

type GithubSettings = {
  key: string
  clientId: string
  clientSecret: string
  /** Where people sign in, without a slash at its end. */
  siteUrl: string
  /** Where the API is, likewise. */
  apiUrl: string
}

const userSchema = z.object({ id: z.int().positive(), name: z.string().nullish() })
const refusalSchema = z.object({ error: z.string() })
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/**
 * GitHub, which speaks OAuth 2 and has no ID token: with PKCE and state, the token is used once, to ask its API who
 * this is. The address is the primary one; the public one of the profile says nothing about being verified.
 */
export function createGithubIdentityProvider(
  settings: GithubSettings,
  connection: Connection,
): IdentityProvider {
  const { key, apiUrl } = settings
  const issuer = `${settings.siteUrl}/login/oauth`

  async function ask<T>(using: Configuration, token: string, path: string, schema: z.ZodType<T>): Promise<T> {
    const headers = new Headers({ accept: 'application/vnd.github+json' })
    const reply = await fetchProtectedResource(
      using,
      token,
      new URL(`${apiUrl}${path}`),
      'GET',
      null,
      headers,
    )
    if (!reply.ok) throw new IdentityUnavailableError(key, 'provider-error', `status ${reply.status}`)
    const answer = schema.safeParse(parsedJson(await reply.text()))
    if (!answer.success) throw new IdentityRefusedError(key, 'wrong-answer', path.slice(1))
    return answer.data
  }

  return {
    key,
    answersByPost: false,

    async start({ redirectUri, state, codeVerifier }) {
      const using = configurationOf(settings, issuer, connection)
      const parameters = {
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      }
      return inRoleWords(key, null, async () => buildAuthorizationUrl(using, parameters))
    },

    async finish(callback) {
      const { state, codeVerifier } = callback
      const parameters = parametersOf(callback)
      requireState(key, parameters, state)
      requireAnswerOf(key, parameters, { issuer, namesItself: false })
      const using = configurationOf(settings, issuer, connection)
      const address = new URL(`${callback.redirectUri}?${parameters}`)
      return inRoleWords(key, 'wrong-answer', async () => {
        const checks = { expectedState: state, pkceCodeVerifier: codeVerifier }
        const { access_token: token } = await authorizationCodeGrant(using, address, checks)
        const user = await ask(using, token, '/user', userSchema)
        const emails = await ask(using, token, '/user/emails', emailsSchema)
        const primary = emails.find((one) => one.primary)
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
  configuration[customFetch] = refusingAsOthersDo(connection.fetch ?? plainFetch)
  const addresses = [new URL(siteUrl), new URL(apiUrl)]
  if (addresses.every(isOnThisMachine)) allowInsecureRequests(configuration)
  return configuration
}

function plainFetch(...[url, { body = null, ...options }]: Parameters<CustomFetch>): Promise<Response> {
  return fetch(url, { ...options, body })
}

/** GitHub refuses a code with status 200; elsewhere a refusal has 400, and so the library knows it. */
function refusingAsOthersDo(ask: CustomFetch): CustomFetch {
  return async (url, options) => {
    const reply = await ask(url, options)
    if (options.method !== 'POST' || reply.status !== 200) return reply
    const text = await reply.text()
    const isRefusal = refusalSchema.safeParse(parsedJson(text)).success
    return new Response(text, { headers: reply.headers, status: isRefusal ? 400 : 200 })
  }
}
