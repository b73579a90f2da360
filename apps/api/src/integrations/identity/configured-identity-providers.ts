import { type ClientAuth, ClientSecretBasic, ClientSecretPost } from 'openid-client'
import { systemClock } from '../../platform/clock.ts'
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
  const inOrder = configs.toSorted((one, other) => one.order - other.order)
  return new Map(inOrder.map((config) => [config.key, createIdentityProvider(config, connection)]))
}

function createIdentityProvider(config: IdentityProviderConfig, connection: Connection): IdentityProvider {
  const { key, clientId, allowHttp = false } = config

  function oidc(
    issuer: string,
    clientAuth: ClientAuth,
    identityOf: (claims: Claims, form: URLSearchParams) => Identity,
    ways = { answersByPost: false, asksUserInfo: false },
  ) {
    const settings = { key, issuer, clientId, clientAuth, allowHttp, identityOf, ...ways }
    return createOidcIdentityProvider(settings, connection)
  }

  switch (config.kind) {
    case 'oidc': {
      const ways = { answersByPost: false, asksUserInfo: true }
      return oidc(config.issuer, secretAuth(config), identityOfClaims, ways)
    }
    case 'google':
      return oidc(config.issuer ?? 'https://accounts.google.com', secretAuth(config), identityOfClaims)
    case 'microsoft': {
      const issuer = config.issuer ?? 'https://login.microsoftonline.com/common/v2.0'
      return oidc(issuer, secretAuth(config), identityOfMicrosoftClaims)
    }
    case 'apple': {
      const { issuer = 'https://appleid.apple.com', teamId, keyId, privateKey } = config
      const { clock } = connection
      const clientAuth = createAppleClientAuth({ provider: key, issuer, teamId, keyId, privateKey, clock })
      return oidc(issuer, clientAuth, identityOfAppleClaims, { answersByPost: true, asksUserInfo: false })
    }
    case 'github': {
      const { clientSecret, siteUrl = 'https://github.com', apiUrl = 'https://api.github.com' } = config
      const settings = { key, clientId, clientSecret, siteUrl, apiUrl, allowHttp }
      return createGithubIdentityProvider(settings, connection)
    }
  }
}

function secretAuth({
  clientSecret,
  clientAuthentication,
}: Extract<IdentityProviderConfig, { kind: 'oidc' | 'google' | 'microsoft' }>): ClientAuth {
  return clientAuthentication === 'client_secret_basic'
    ? ClientSecretBasic(clientSecret)
    : ClientSecretPost(clientSecret)
}
