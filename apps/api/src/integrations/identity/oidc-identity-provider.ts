import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client'
import { checkCallback, readCallback } from './callback.ts'
import type { Claims } from './claims.ts'
import { type Connection, isLocal } from './connection.ts'
import { withIdentityErrors } from './identity-errors.ts'
import {
  type Identity,
  type IdentityProvider,
  IdentityRefusedError,
  IdentityUnavailableError,
} from './identity-provider.ts'

export type OidcSettings = {
  key: string
  issuer: string
  clientId: string
  clientAuth: ClientAuth
  usesFormPost: boolean
  /** Whether the user info endpoint is asked for an address that the token lacks. */
  readsUserInfo: boolean
  /** Returns the identity of verified claims. `form` holds the callback's parameters, which are not signed. */
  identityOf(claims: Claims, form: URLSearchParams): Identity
}

const hourMs = 3_600_000
const toleranceSeconds = 30

/**
 * Creates a provider for OpenID Connect: authorization code with PKCE (S256), state and nonce. The token's signature,
 * issuer, audience, authorized party and times are checked. Metadata is cached for an hour, or until a token fails its
 * checks.
 */
export function createOidcIdentityProvider(settings: OidcSettings, connection: Connection): IdentityProvider {
  const { key, clientId, usesFormPost, readsUserInfo, identityOf } = settings
  const { clock } = connection
  let cached: { configuration: Promise<Configuration>; readAt: number } | undefined

  function configurationOf(): Promise<Configuration> {
    const now = clock.now().getTime()
    if (cached && now - cached.readAt < hourMs) return cached.configuration
    const entry = { configuration: discover(settings, connection), readAt: now }
    cached = entry
    entry.configuration.catch(() => invalidate(entry))
    return entry.configuration
  }

  function invalidate(entry: typeof cached): void {
    if (cached === entry) cached = undefined
  }

  return {
    key,
    usesFormPost,

    async start({ redirectUri, state, nonce, codeVerifier }) {
      const configuration = await configurationOf()
      const parameters = {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(usesFormPost && { response_mode: 'form_post' }),
      }
      return withIdentityErrors(key, null, async () => buildAuthorizationUrl(configuration, parameters))
    },

    async finish(callback) {
      const { state, nonce, codeVerifier } = callback
      const parameters = readCallback(key, callback)
      const configuration = await configurationOf()
      const entry = cached
      const server = configuration.serverMetadata()
      const sendsIssuer = server.authorization_response_iss_parameter_supported === true
      checkCallback(key, parameters, { issuer: server.issuer, sendsIssuer })
      const url = new URL(`${callback.redirectUri}?${parameters}`)
      const signIn = withIdentityErrors(key, 'wrong-token', async () => {
        const tokens = await authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        const claims = checked(tokens.claims())
        if (claims.email !== undefined || !readsUserInfo || !server.userinfo_endpoint) {
          return identityOf(claims, parameters)
        }
        const more = await fetchUserInfo(configuration, tokens.access_token, claims.sub)
        const { email, email_verified, name } = more
        return identityOf({ name, ...claims, email, email_verified }, parameters)
      })
      return await signIn.catch((error: unknown) => {
        if (error instanceof IdentityRefusedError && error.reason === 'wrong-token') invalidate(entry)
        throw error
      })
    },
  }

  /** Checks what the library doesn't: the authorized party, and the time of issue by our clock. */
  function checked(claims: Claims | undefined): Claims {
    if (!claims) throw new IdentityRefusedError(key, 'malformed-response', 'no id token')
    if (claims.azp !== undefined && claims.azp !== clientId) {
      throw new IdentityRefusedError(key, 'wrong-token', 'jwt-claim-comparison-failed azp')
    }
    if (claims.iat > clock.now().getTime() / 1_000 + toleranceSeconds) {
      throw new IdentityRefusedError(key, 'wrong-token', 'jwt-timestamp-check-failed iat')
    }
    return claims
  }
}

async function discover(settings: OidcSettings, connection: Connection): Promise<Configuration> {
  const { key, clientId, clientAuth } = settings
  const issuer = URL.parse(settings.issuer)
  if (!issuer) throw new IdentityUnavailableError(key, 'misconfigured', 'issuer')
  const withoutTls = issuer.protocol === 'http:' && isLocal(issuer)
  return withIdentityErrors(key, null, () =>
    discovery(issuer, clientId, undefined, clientAuth, {
      timeout: connection.timeoutSeconds,
      execute: [enableNonRepudiationChecks, ...(withoutTls ? [allowInsecureRequests] : [])],
      ...(connection.fetch && { [customFetch]: connection.fetch }),
    }),
  )
}
