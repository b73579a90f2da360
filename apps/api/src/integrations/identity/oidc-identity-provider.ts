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
import { parametersOf, requireAnswerOf, requireState } from './callback-checks.ts'
import type { Claims } from './claims.ts'
import { type Connection, isOnThisMachine } from './connection.ts'
import { inRoleWords } from './identity-failures.ts'
import {
  type Identity,
  type IdentityProvider,
  IdentityRefusedError,
  IdentityUnavailableError,
} from './identity-provider.ts'

type OidcSettings = {
  key: string
  issuer: string
  clientId: string
  clientAuth: ClientAuth
  answersByPost: boolean
  /** Whether an address that the token does not carry is asked for at the provider. */
  asksUserInfo: boolean
  /** Who the claims, all checked, are about. `form` holds the callback's parameters, which nobody signed. */
  identityOf(claims: Claims, form: URLSearchParams): Identity
}

const hourMs = 3_600_000
const toleranceSeconds = 30

/**
 * An OpenID Connect provider: authorization code with PKCE (S256), state and nonce; the token's signature, issuer,
 * audience, authorized party and times are checked. What the provider tells about itself is read at first use and
 * each hour after that, its keys more often; after a token that fails, both are read again.
 */
export function createOidcIdentityProvider(settings: OidcSettings, connection: Connection): IdentityProvider {
  const { key, clientId, answersByPost } = settings
  const { clock } = connection
  let known: { configuration: Promise<Configuration>; readAt: number } | undefined

  function configuration(): Promise<Configuration> {
    const now = clock.now().getTime()
    if (known && now - known.readAt < hourMs) return known.configuration
    const reading = { configuration: discover(settings, connection), readAt: now }
    known = reading
    reading.configuration.catch(() => forget(reading))
    return reading.configuration
  }

  function forget(reading: typeof known) {
    if (known === reading) known = undefined
  }

  return {
    key,
    answersByPost,

    async start({ redirectUri, state, nonce, codeVerifier }) {
      const using = await configuration()
      const parameters = {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(answersByPost && { response_mode: 'form_post' }),
      }
      return inRoleWords(key, null, async () => buildAuthorizationUrl(using, parameters))
    },

    async finish(callback) {
      const { state, nonce, codeVerifier } = callback
      const parameters = parametersOf(callback)
      requireState(key, parameters, state)
      const using = await configuration()
      const reading = known
      const server = using.serverMetadata()
      requireAnswerOf(key, parameters, {
        issuer: server.issuer,
        namesItself: server.authorization_response_iss_parameter_supported === true,
      })
      const address = new URL(`${callback.redirectUri}?${parameters}`)
      try {
        return await inRoleWords(key, 'wrong-token', async () => {
          const tokens = await authorizationCodeGrant(using, address, {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: codeVerifier,
            idTokenExpected: true,
          })
          const claims = checked(tokens.claims())
          if (claims.email !== undefined || !settings.asksUserInfo || !server.userinfo_endpoint) {
            return settings.identityOf(claims, parameters)
          }
          const more = await fetchUserInfo(using, tokens.access_token, claims.sub)
          const { email, email_verified, name } = more
          return settings.identityOf({ name, ...claims, email, email_verified }, parameters)
        })
      } catch (error) {
        if (error instanceof IdentityRefusedError && error.reason === 'wrong-token') forget(reading)
        throw error
      }
    },
  }

  /** What the library leaves unchecked. Its times go by the machine's clock, and so do these. */
  function checked(claims: Claims | undefined): Claims {
    if (!claims) throw new IdentityRefusedError(key, 'wrong-answer', 'no id token')
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
  const withoutTls = issuer.protocol === 'http:' && isOnThisMachine(issuer)
  return inRoleWords(key, null, () =>
    discovery(issuer, clientId, undefined, clientAuth, {
      timeout: connection.timeoutSeconds,
      execute: [enableNonRepudiationChecks, ...(withoutTls ? [allowInsecureRequests] : [])],
      ...(connection.fetch && { [customFetch]: connection.fetch }),
    }),
  )
}
