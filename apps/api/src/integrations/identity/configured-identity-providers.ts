import { type ClientAuth, ClientSecretBasic, ClientSecretPost } from 'openid-client'
import { systemClock } from '#platform/clock.ts'
import { createAppleClientAuth } from './apple-client-secret.ts'
import { type Claims, identityOfAppleClaims, identityOfClaims, identityOfMicrosoftClaims } from './claims.ts'
import type { Connection } from './connection.ts'
import { createGithubIdentityProvider } from './github-identity-provider.ts'
import type {
  Identity,
  IdentityProvider,
  IdentityProviderConfig,
  IdentityProviders,
} from './identity-provider.ts'
import { createOidcIdentityProvider } from './oidc-identity-provider.ts'

const secretAuthWays = { client_secret_basic: ClientSecretBasic, client_secret_post: ClientSecretPost }

/**
 * The providers of these settings, by key and in their order. Nothing is asked of any of them yet.
 * NOTE: the clock is the machine's own unless a test needs another. Providers stamp their tokens with the real time, so
 * that a clock that stands still would refuse them.
 */
export function createIdentityProviders(
  configs: readonly IdentityProviderConfig[],
  { clock = systemClock, timeoutSeconds = 8, fetch }: Partial<Connection> = {},
): IdentityProviders {
  const connection = { clock, timeoutSeconds, fetch }
  return new Map(configs.map((config) => [config.key, createIdentityProvider(config, connection)]))
}

function createIdentityProvider(config: IdentityProviderConfig, connection: Connection): IdentityProvider {
  const { key, clientId } = config

  function oidc(
    issuer: string,
    clientAuth: ClientAuth,
    identityOf: (claims: Claims, form: URLSearchParams) => Identity,
    ways = { answersByPost: false, asksUserInfo: false },
  ) {
    const settings = { key, issuer, clientId, clientAuth, identityOf, ...ways }
    return createOidcIdentityProvider(settings, connection)
  }

  switch (config.kind) {
    case 'oidc': {
      const ways = { answersByPost: false, asksUserInfo: true }
      const clientAuth = secretAuthWays[config.clientAuthentication](config.clientSecret)
      return oidc(config.issuer, clientAuth, identityOfClaims, ways)
    }
    case 'google':
      return oidc('https://accounts.google.com', ClientSecretPost(config.clientSecret), identityOfClaims)
    case 'microsoft': {
      const issuer = config.issuer ?? 'https://login.microsoftonline.com/common/v2.0'
      return oidc(issuer, ClientSecretPost(config.clientSecret), identityOfMicrosoftClaims)
    }
    case 'apple': {
      const { teamId, keyId, privateKey } = config
      const { clock } = connection
      const issuer = 'https://appleid.apple.com'
      const clientAuth = createAppleClientAuth({ provider: key, issuer, teamId, keyId, privateKey, clock })
      return oidc(issuer, clientAuth, identityOfAppleClaims, { answersByPost: true, asksUserInfo: false })
    }
    case 'github': {
      const { clientSecret, siteUrl = 'https://github.com', apiUrl = 'https://api.github.com' } = config
      const settings = { key, clientId, clientSecret, siteUrl, apiUrl }
      return createGithubIdentityProvider(settings, connection)
    }
  }
}
