import { urlOf } from '@tidings/contracts/endpoint'
import { openProviderCallback } from '@tidings/contracts/membership/popups'
import { z } from 'zod'
import {
  type FlowSecrets,
  type Identity,
  type IdentityCallback,
  type IdentityProvider,
  type IdentityProviders,
  IdentityRefusedError,
  IdentityUnavailableError,
} from '#integrations/identity/identity-provider.ts'
import { sha256 } from '#platform/ids.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { AuthDeps } from '../auth.deps.ts'
import { fail } from '../auth.errors.ts'
import { claimFlow, createFlow } from '../identity.repository.ts'

const modeSchema = z.enum(['login', 'signup', 'connect'])
export type FlowMode = z.infer<typeof modeSchema>

/** Stored with a flow: the data of a new account, the member who connects, and whether a login may sign up. */
const detailsSchema = z.object({
  customFields: z.record(z.string(), z.unknown()).default({}),
  plans: z.array(z.object({ planId: z.string() })).default([]),
  allowSignup: z.boolean().default(false),
  memberId: z.string().nullable().default(null),
  sessionId: z.string().nullable().default(null),
})
type FlowDetails = z.infer<typeof detailsSchema>

/** `hostname` is that of the page that opened the popup. */
type Flow<Details> = {
  app: MembershipApp
  provider: string
  mode: FlowMode
  hostname: string
  details: Details
}

/** A flow whose browser has returned from the provider. `cookie` is the name of its cookie, to be cleared. */
export type ReturnedFlow = Flow<FlowDetails> & {
  cookie: string
  /** Asks the provider who signed in; throws `account-connect-failed`. */
  identify(callback: Pick<IdentityCallback, 'url' | 'body'>): Promise<Identity>
}

/** The provider's URL, and the secret that binds the flow to the browser, to be stored in this cookie. */
export type AuthorizationRedirect = { url: URL; browserSecret: string; cookie: string; usesFormPost: boolean }

/** A callback's provider and state, and the secrets in the browser's cookies. */
export type Callback = {
  provider: string
  state: string
  browserSecretOf(cookie: string): string | undefined
}

type Deps = Pick<AuthDeps, 'database' | 'apps' | 'names' | 'clock' | 'ids' | 'logger' | 'siteUrl'> & {
  identityProviders: IdentityProviders
  newFlowSecrets: () => FlowSecrets
}

export const flowMinutes = 10

export type IdentityFlows = ReturnType<typeof createIdentityFlows>

/** Creates the service of sign-ins with identity providers: each is bound to one browser and returns once. */
export function createIdentityFlows(deps: Deps) {
  const { database, apps, identityProviders, newFlowSecrets, names, clock, ids, logger, siteUrl } = deps

  function redirectUri(provider: string): string {
    return new URL(urlOf(openProviderCallback, { params: { provider } }), siteUrl.origin).href
  }

  function get(app: MembershipApp, key: string): IdentityProvider {
    const provider = app.authProviders?.includes(key) === false ? undefined : identityProviders.get(key)
    if (provider === undefined) throw fail('provider-not-found')
    return provider
  }

  /** Logs why a provider failed and rejects with the text for the member. */
  async function rejectWith(key: string, error: unknown): Promise<never> {
    const name = names.get(key) ?? key
    if (error instanceof IdentityRefusedError) {
      logger.info({ provider: key, reason: error.reason, detail: error.detail }, 'provider sign-in refused')
      const reason = error.reason === 'cancelled' ? 'cancelled' : 'failed'
      throw fail('account-connect-failed', reason, name, error)
    }
    if (error instanceof IdentityUnavailableError) {
      logger.warn({ provider: key, reason: error.reason, detail: error.detail }, 'provider unavailable')
      throw fail('account-connect-failed', 'unavailable', name, error)
    }
    throw error
  }

  return {
    /** Returns a provider's display name; throws `provider-not-found`. */
    nameOf(app: MembershipApp, key: string): string {
      get(app, key)
      return names.get(key) ?? key
    },
    async begin(flow: Flow<Partial<FlowDetails>>): Promise<AuthorizationRedirect> {
      const { app, provider: key, mode, hostname, details } = flow
      const provider = get(app, key)
      const secrets = newFlowSecrets()
      const url = await provider
        .start({ ...secrets, redirectUri: redirectUri(key) })
        .catch((error: unknown) => rejectWith(key, error))
      const browserSecret = ids.secret()
      const stateHash = sha256(secrets.state)
      await createFlow(database.db, {
        stateHash,
        appId: app.id,
        provider: key,
        mode,
        hostname,
        browserHash: sha256(browserSecret),
        nonce: secrets.nonce,
        codeVerifier: secrets.codeVerifier,
        details: detailsSchema.parse(details),
        expiresAt: new Date(clock.now().getTime() + flowMinutes * 60_000),
      })
      return { url, browserSecret, cookie: cookieOf(stateHash), usesFormPost: provider.usesFormPost }
    },
    /** Claims the flow of a state. Returns null, and keeps the flow, for a callback from another browser. */
    async claim({ provider: key, state, browserSecretOf }: Callback): Promise<ReturnedFlow | null> {
      const stateHash = sha256(state)
      const cookie = cookieOf(stateHash)
      const browserSecret = browserSecretOf(cookie)
      if (browserSecret === undefined || !identityProviders.has(key)) return null
      const browserHash = sha256(browserSecret)
      const row = await claimFlow(database.db, { stateHash, browserHash, provider: key })
      const app = row === null ? undefined : (await apps.directory()).byId.get(row.appId)
      if (row === null || row.expiresAt <= clock.now() || app === undefined) return null
      const { nonce, codeVerifier, hostname } = row
      return {
        app,
        mode: modeSchema.parse(row.mode),
        provider: key,
        hostname,
        details: detailsSchema.parse(row.details),
        cookie,
        identify: async (callback) =>
          await get(app, key)
            .finish({ ...callback, state, nonce, codeVerifier, redirectUri: redirectUri(key) })
            .catch((error: unknown) => rejectWith(key, error)),
      }
    },
  }
}

/** Each flow has its own cookie, so that two popups don't overwrite each other's. */
function cookieOf(stateHash: string): string {
  return `tidings_flow_${stateHash.slice(0, 12)}`
}
