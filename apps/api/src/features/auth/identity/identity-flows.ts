import { z } from 'zod'
import {
  type FlowSecrets,
  type Identity,
  type IdentityProvider,
  type IdentityProviders,
  IdentityRefusedError,
  IdentityUnavailableError,
} from '#integrations/identity/identity-provider.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import { type Ids, sha256 } from '#platform/ids.ts'
import type { Logger } from '#platform/logger.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import { ConnectFailedError, ProviderNotFoundError } from './identity.errors.ts'
import { claimFlow, createFlow } from './identity.repository.ts'

/** What a popup is opened for. */
export type FlowMode = 'login' | 'signup' | 'connect'

/** What comes back to where the flow began: what signing up brings along, who connects, whether login may sign up. */
const detailsSchema = z.object({
  customFields: z.record(z.string(), z.unknown()).default({}),
  plans: z.array(z.object({ planId: z.string() })).default([]),
  allowSignup: z.boolean().default(false),
  memberId: z.string().nullable().default(null),
  sessionId: z.string().nullable().default(null),
})
export type FlowDetails = z.infer<typeof detailsSchema>

/** A flow to begin. `hostname` is the page's that opened the popup. */
export type FlowStart = {
  app: MembershipApp
  provider: string
  mode: FlowMode
  hostname: string
  details: Partial<FlowDetails>
}

/** A flow that came back: where from, what for, and a way to learn who it is. */
export type ReturnedFlow = {
  app: MembershipApp
  mode: FlowMode
  provider: string
  hostname: string
  details: FlowDetails
  /** The name of the cookie that has served its time. */
  cookie: string
  /** Asks the provider; throws `account-connect-failed` with a sentence for the person. */
  identify(callback: { url: URL; body: URLSearchParams | undefined }): Promise<Identity>
}

/** Where to send the browser, and the secret that binds the flow to it, to be kept in this cookie. */
export type Departure = { url: URL; browserSecret: string; cookie: string; answersByPost: boolean }

/** How the browser came back: from where, with which state, and the secrets that it keeps. */
export type Callback = {
  provider: string
  state: string
  browserSecretOf(cookie: string): string | undefined
}

export type IdentityFlows = {
  /** Returns what people call a provider of an app. Throws `provider-not-found`. */
  nameOf(app: MembershipApp, provider: string): string
  begin(start: FlowStart): Promise<Departure>
  /** The flow of a state, once, and only in the browser that began it; null, and nothing ends, otherwise. */
  take(callback: Callback): Promise<ReturnedFlow | null>
}

type Deps = {
  database: Database
  apps: MembershipApps
  providers: IdentityProviders
  newSecrets: () => FlowSecrets
  names: ReadonlyMap<string, string>
  clock: Clock
  ids: Ids
  logger: Logger
  siteUrl: URL
}

export const flowMinutes = 10

/** Visits to identity providers: begun here, bound to one browser, come back once. */
export function createIdentityFlows(deps: Deps): IdentityFlows {
  const { database, apps, providers, newSecrets, names, clock, ids, logger, siteUrl } = deps

  function redirectUri(provider: string): string {
    return new URL(`/auth-provider/callback/${provider}`, siteUrl.origin).href
  }

  function get(app: MembershipApp, key: string): IdentityProvider {
    const provider = app.authProviders?.includes(key) === false ? undefined : providers.get(key)
    if (provider === undefined) throw new ProviderNotFoundError()
    return provider
  }

  /** What went wrong elsewhere, in a sentence for the person; the reason goes to the log. */
  function explain(key: string, error: unknown): unknown {
    const name = names.get(key) ?? key
    if (error instanceof IdentityRefusedError) {
      logger.info({ provider: key, reason: error.reason, detail: error.detail }, 'a sign-in was refused')
      return new ConnectFailedError(
        error.reason === 'cancelled'
          ? `You did not continue with ${name}. Nothing has changed.`
          : `The sign-in with ${name} could not be completed. Please try again.`,
        error,
      )
    }
    if (error instanceof IdentityUnavailableError) {
      logger.warn({ provider: key, reason: error.reason, detail: error.detail }, 'a provider is away')
      return new ConnectFailedError(`${name} cannot be reached at the moment. Please try again later.`, error)
    }
    return error
  }

  return {
    nameOf(app, key) {
      get(app, key)
      return names.get(key) ?? key
    },
    async begin({ app, provider: key, mode, hostname, details }) {
      const provider = get(app, key)
      const secrets = newSecrets()
      const url = await provider
        .start({ ...secrets, redirectUri: redirectUri(key) })
        .catch((error: unknown) => Promise.reject(explain(key, error)))
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
      return { url, browserSecret, cookie: cookieOf(stateHash), answersByPost: provider.answersByPost }
    },
    async take({ provider: key, state, browserSecretOf }) {
      const stateHash = sha256(state)
      const cookie = cookieOf(stateHash)
      const browserSecret = browserSecretOf(cookie)
      if (browserSecret === undefined || !providers.has(key)) return null
      const browserHash = sha256(browserSecret)
      const row = await claimFlow(database.db, { stateHash, browserHash, provider: key })
      const app = row === null ? undefined : (await apps.directory()).byId.get(row.appId)
      if (row === null || row.expiresAt <= clock.now() || app === undefined) return null
      const { nonce, codeVerifier } = row
      return {
        app,
        mode: z.enum(['login', 'signup', 'connect']).parse(row.mode),
        provider: key,
        hostname: row.hostname,
        details: detailsSchema.parse(row.details),
        cookie,
        identify: async (callback) =>
          await get(app, key)
            .finish({ ...callback, state, nonce, codeVerifier, redirectUri: redirectUri(key) })
            .catch((error: unknown) => Promise.reject(explain(key, error))),
      }
    },
  }
}

/** Each flow has a cookie of its own, so that two popups do not end each other. */
function cookieOf(stateHash: string): string {
  return `tidings_flow_${stateHash.slice(0, 12)}`
}
