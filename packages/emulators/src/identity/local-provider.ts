import { Provider } from 'oidc-provider'
import { escapeHtml } from '../http/html.ts'
import { emulatorClient, isCallback } from './client.ts'
import { createSigningKey, type NextFault, type SigningKey, spoilToken, type TokenFault } from './faults.ts'
import { noticePage } from './login-page.ts'
import { createMemoryAdapters } from './memory-adapter.ts'
import type { Person } from './people.ts'

const scopes = 'openid email profile'

type Options = { issuer: string; redirectOrigins: readonly string[]; nextFault: NextFault<TokenFault> }

/** A provider at one issuer and the people who signed in there, by subject. */
export type LocalProvider = { provider: Provider; people: Map<string, Person> }

/**
 * Creates an OpenID Connect provider with one client, PKCE and ES256. The caller removes the issuer's path from
 * requests. Signing in gives consent, and each sign-in asks again.
 */
export function createLocalProvider({ issuer, redirectOrigins, nextFault }: Options): LocalProvider {
  const people = new Map<string, Person>()
  const key = createSigningKey()
  const provider: Provider = new Provider(issuer, {
    adapter: createMemoryAdapters(),
    clients: [
      {
        client_id: emulatorClient.id,
        client_secret: emulatorClient.secret,
        client_name: 'Tidings',
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'ES256',
        redirect_uris: ['http://localhost:3000/auth-provider/callback/local'],
      },
    ],
    scopes: scopes.split(' '),
    responseTypes: ['code'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // The ID token contains the requested claims, as at the large providers.
    conformIdTokenClaims: false,
    jwks: { keys: [publishedKey(key)] },
    pkce: { required: () => true },
    cookies: { keys: [] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 3_600,
      Session: 3_600,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
    },
    interactions: { url: (_context, { uid }) => `${new URL(issuer).pathname}/login/${uid}` },
    findAccount: (_context, subject) => accountOf(people.get(subject)),
    async loadExistingGrant({ oidc }) {
      const { clientId } = oidc.client ?? {}
      const { accountId } = oidc.session ?? {}
      const grant = new provider.Grant({ clientId, accountId })
      grant.addOIDCScope(scopes)
      await grant.save()
      return grant
    },
    renderError(context, { error, error_description }) {
      context.type = 'html'
      const told = [error, error_description].filter(Boolean).join(': ')
      context.body = noticePage('Sign-in failed', [escapeHtml(told)])
    },
  })
  provider.Client.prototype.redirectUriAllowed = (address) => isCallback(address, redirectOrigins)
  spoilTokens(provider, nextFault, key)
  return { provider, people }
}

function accountOf(person: Person | undefined) {
  if (!person) return undefined
  const { subject, name, email, emailVerified } = person
  return {
    accountId: subject,
    claims: () => ({
      sub: subject,
      ...(name !== null && { name }),
      ...(email !== null && { email, email_verified: emailVerified }),
    }),
  }
}

/** Applies the next fault to the token endpoint. */
function spoilTokens(provider: Provider, nextFault: NextFault<TokenFault>, key: SigningKey) {
  provider.use(async (context, next) => {
    const fault = context.path === '/token' ? nextFault.take() : undefined
    if (fault === 'slow') return new Promise((resolve) => context.req.once('close', resolve))
    if (fault === 'server-error') {
      context.status = 503
      context.body = { error: 'temporarily_unavailable' }
      return
    }
    await next()
    const body: unknown = context.body
    if (!fault || typeof body !== 'object' || body === null || !('id_token' in body)) return
    const { id_token: token, ...others } = body
    context.body =
      fault === 'without-token' ? others : { ...others, id_token: spoilToken(String(token), fault, key) }
  })
}

function publishedKey({ id, privateKey }: SigningKey) {
  return { ...privateKey.export({ format: 'jwk' }), kid: id, alg: 'ES256', use: 'sig' }
}
