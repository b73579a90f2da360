import {
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { systemClock } from '#platform/clock.ts'
import { createAppleClientAuth } from './apple-client-secret.ts'
import { identityOfAppleClaims, identityOfClaims, identityOfMicrosoftClaims } from './claims.ts'
import type { Connection } from './connection.ts'
import { createGithubIdentityProvider } from './github-identity-provider.ts'
import type {
  FlowSecrets,
  IdentityProvider,
  IdentityProviderConfig,
  IdentityProviders,
} from './identity-provider.ts'
import { createOidcIdentityProvider, type OidcSettings } from './oidc-identity-provider.ts'

const secretAuth = { client_secret_basic: ClientSecretBasic, client_secret_post: ClientSecretPost }

/** Returns new secrets for one sign-in, 256 random bits each. */
export function newFlowSecrets(): FlowSecrets {
  return { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() }
}

/** Returns the configured providers by key, in order. NOTE: tokens are checked by the system clock. */
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
    identityOf: OidcSettings['identityOf'],
    { usesFormPost = false, readsUserInfo = false } = {},
  ): IdentityProvider {
    const settings = { key, issuer, clientId, clientAuth, identityOf, usesFormPost, readsUserInfo }
    return createOidcIdentityProvider(settings, connection)
  }

  switch (config.kind) {
    case 'oidc': {
      const clientAuth = secretAuth[config.clientAuthentication](config.clientSecret)
      return oidc(config.issuer, clientAuth, identityOfClaims, { readsUserInfo: true })
    }
    case 'google':
      return oidc('https://accounts.google.com', ClientSecretPost(config.clientSecret), identityOfClaims)
    case 'microsoft': {
      const issuer = config.issuer ?? 'https://login.microsoftonline.com/common/v2.0'
      return oidc(issuer, ClientSecretPost(config.clientSecret), identityOfMicrosoftClaims)
    }
    case 'apple': {
      const { teamId, keyId, privateKey } = config
      const issuer = 'https://appleid.apple.com'
      const apple = { provider: key, issuer, teamId, keyId, privateKey, clock: connection.clock }
      return oidc(issuer, createAppleClientAuth(apple), identityOfAppleClaims, { usesFormPost: true })
    }
    case 'github': {
      const { clientSecret, siteUrl = 'https://github.com', apiUrl = 'https://api.github.com' } = config
      return createGithubIdentityProvider({ key, clientId, clientSecret, siteUrl, apiUrl }, connection)
    }
  }
}
