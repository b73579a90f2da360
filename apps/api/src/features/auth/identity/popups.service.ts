import type { MemberSession } from '@tidings/contracts/membership/auth'
import type { PopupQuery } from '@tidings/contracts/membership/popups'
import { findMember } from '#features/members/index.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { LiveSession } from '#http/membership/member-session.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { IdentityCallback } from '#integrations/identity/identity-provider.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { fail } from '../auth.errors.ts'
import type { Caller } from '../caller.ts'
import type { SessionService } from '../sessions/sessions.service.ts'
import type { IdentityService, Providers } from './identity.service.ts'
import type {
  AuthorizationRedirect,
  Callback,
  FlowMode,
  IdentityFlows,
  ReturnedFlow,
} from './identity-flows.ts'
import { readSignupFields } from './popup-query.ts'

/** The app that a popup is opened for, and the origins that its result is posted to. */
type Opener = { app: MembershipApp; hostname: string | null; origins: readonly string[] }

/** The result for the opener: the new session, or the providers that are connected now. */
export type PopupSuccess = MemberSession | { providers: Providers; message: string }

type Deps = Pick<PlatformDeps, 'database' | 'apps'> & {
  siteOrigins: ReadonlySet<string>
  identity: IdentityService
  identityFlows: IdentityFlows
  sessions: SessionService
  rateLimits: RateLimits
}

// Stored with a flow whose opener sent no host.
const noHostname = ''

export type PopupService = ReturnType<typeof createPopupService>

/**
 * Creates the service of the popups of social sign-in. Errors may be posted to the opener except where a comment says
 * otherwise.
 */
export function createPopupService(deps: Deps) {
  const { database, siteOrigins, identity, identityFlows, apps, sessions, rateLimits } = deps

  async function sessionOf({ member }: PopupQuery, app: MembershipApp): Promise<LiveSession> {
    const auth = member ? await sessions.authenticateToken(member, app.id) : 'none'
    if (typeof auth === 'string') throw fail('account-connect-requires-login')
    return auth
  }

  return {
    /** Throws `app-not-found` or `domain-not-permitted`, which no opener may learn. */
    async findOpener({ publicKey, appId, origin }: PopupQuery): Promise<Opener> {
      const hostname = origin ?? null
      const app = await apps.find({ publicKey, appId })
      if (app === null) throw failMembership('app-not-found')
      const origins = originsOf(app, hostname)
      if (origins.length === 0) throw failMembership('domain-not-permitted')
      return { app, hostname, origins }
    },
    /** Returns what the member confirms before a provider is connected: its name, and the account's address. */
    async findConnection(
      { app }: Opener,
      query: PopupQuery,
    ): Promise<{ providerName: string; email: string }> {
      const { memberId } = await sessionOf(query, app)
      const member = await findMember(database.db, memberId)
      if (member === null) throw fail('account-connect-requires-login')
      return { providerName: identityFlows.nameOf(app, query.provider), email: member.email }
    },
    /**
     * Throws `domain-not-permitted` unless a page of this site sent the form (RFC 6454, 7.3). Another page could send its
     * own member's token, and so connect the visitor's sign-in to that account.
     */
    requireOwnForm(origin: string | undefined): void {
      if (origin === undefined || !siteOrigins.has(origin)) throw failMembership('domain-not-permitted')
    },
    async begin(
      { app, hostname }: Opener,
      mode: FlowMode,
      query: PopupQuery,
      ip: string,
    ): Promise<AuthorizationRedirect> {
      await rateLimits.consume('logins', ip)
      const session = mode === 'connect' ? await sessionOf(query, app) : null
      return await identityFlows.begin({
        app,
        provider: query.provider,
        mode,
        hostname: hostname ?? noHostname,
        details: {
          ...(mode === 'connect' ? {} : readSignupFields(query)),
          allowSignup: query.allowSignup === 'true',
          memberId: session?.memberId ?? null,
          sessionId: session?.id ?? null,
        },
      })
    },
    /** Claims the flow of a callback. Throws `account-connect-failed` if it has expired or is another browser's. */
    async claim(callback: Callback): Promise<{ flow: ReturnedFlow; origins: readonly string[] }> {
      const flow = await identityFlows.claim(callback)
      if (flow === null) throw fail('account-connect-failed', 'expired', callback.provider)
      return { flow, origins: originsOf(flow.app, flow.hostname === noHostname ? null : flow.hostname) }
    },
    /** Logs in, signs up or connects the provider. */
    async finish(
      flow: ReturnedFlow,
      callback: Pick<IdentityCallback, 'url' | 'body'>,
      caller: Caller,
    ): Promise<PopupSuccess> {
      const { app, mode, provider, hostname, details } = flow
      const { customFields, plans, allowSignup, memberId, sessionId } = details
      const person = await flow.identify(callback)
      if (mode === 'connect') {
        if (memberId === null || sessionId === null) throw fail('account-connect-requires-login')
        const given = { provider, identity: person }
        const providers = await identity.connect(app, { memberId, sessionId }, given)
        return { providers, message: 'You can now log in this way too.' }
      }
      const newAccount = mode === 'signup' || allowSignup ? { customFields, plans } : null
      const signIn = { provider, identity: person, newAccount }
      return await identity.signIn(app, signIn, { ...caller, origin: hostname })
    },
  }
}

/** Returns the app's origins on a host, or all: browsers deliver messages only to an opener with one of them. */
function originsOf(app: MembershipApp, hostname: string | null): string[] {
  return [...app.origins].filter((origin) => hostname === null || URL.parse(origin)?.hostname === hostname)
}
