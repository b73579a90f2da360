import type { MemberSession } from '@tidings/contracts/auth'
import { findMember } from '#features/members/index.ts'
import type { LiveSession } from '#http/membership/member-session.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import type { Database } from '#platform/database.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import type { Caller } from '../caller.ts'
import type { SessionService } from '../sessions/sessions.service.ts'
import { ConnectFailedError, ConnectRequiresLoginError } from './identity.errors.ts'
import type { IdentityService, Providers } from './identity.service.ts'
import type { Callback, Departure, FlowMode, IdentityFlows, ReturnedFlow } from './identity-flows.ts'
import { type PopupQuery, readBelongings } from './popup-query.ts'

/** For whom a popup is opened, and which origins hear how it ends. */
export type Opener = { app: MembershipApp; hostname: string | null; origins: readonly string[] }

/** A visit to a provider that came back, and which origins hear how it ends. */
export type Return = { flow: ReturnedFlow; origins: readonly string[] }

/** What the page that opened the popup is told: who is logged in now, or which ways in the account has now. */
export type PopupSuccess = MemberSession | { providers: Providers; message: string }

type Deps = {
  database: Database
  /** The origins of the site's own pages. */
  siteOrigins: ReadonlySet<string>
  identity: IdentityService
  identityFlows: IdentityFlows
  membershipApps: MembershipApps
  sessions: SessionService
  rateLimits: RateLimits
}

export type PopupService = {
  /** For whom a popup is opened. Throws `app-not-found` or `domain-not-permitted`, which nobody is to be told. */
  findOpener(query: PopupQuery): Promise<Opener>
  /**
   * Returns what the member confirms before a provider is connected: its name, and the account's address. Throws
   * `account-connect-requires-login` or `provider-not-found`, for the opener.
   */
  findConnection(opener: Opener, query: PopupQuery): Promise<{ providerName: string; email: string }>
  /** Throws `domain-not-permitted` unless a form was sent by a page of this site (RFC 6454, 7.3). */
  requireOwnForm(origin: string | undefined): void
  /** Where to send the browser. What it throws may be told to the opener. */
  begin(opener: Opener, mode: FlowMode, query: PopupQuery, ip: string): Promise<Departure>
  /** Who came back. Throws `account-connect-failed` for a visit that has ended, or was another browser's. */
  take(callback: Callback): Promise<Return>
  /** Logs in, signs up or connects whoever came back. What it throws may be told to the opener. */
  finish(
    flow: ReturnedFlow,
    answer: { url: URL; body: URLSearchParams | undefined },
    caller: Caller,
  ): Promise<PopupSuccess>
}

// How it is kept with a flow that its opener named no host.
const noHostname = ''

/** What the popups of social sign-in decide: for which app, for whose ears, and who may. */
export function createPopupService(deps: Deps): PopupService {
  const { database, siteOrigins, identity, identityFlows, membershipApps, sessions, rateLimits } = deps

  async function ownerOf({ member }: PopupQuery, app: MembershipApp): Promise<LiveSession> {
    if (!member) throw new ConnectRequiresLoginError()
    const proof = await sessions.prove(`Bearer ${member}`, app.id)
    if (typeof proof === 'string') throw new ConnectRequiresLoginError()
    return proof
  }

  /** The session that began to connect; it may have ended since. */
  function beginnerOf({ details }: ReturnedFlow): { memberId: string; sessionId: string } {
    const { memberId, sessionId } = details
    if (memberId === null || sessionId === null) throw new ConnectRequiresLoginError()
    return { memberId, sessionId }
  }

  return {
    async findOpener({ publicKey, appId, origin }) {
      const hostname = origin ?? null
      const app = await membershipApps.find({ publicKey, appId })
      if (app === null) throw failMembership('app-not-found')
      const origins = originsOf(app, hostname)
      if (origins.length === 0) throw failMembership('domain-not-permitted')
      return { app, hostname, origins }
    },
    async findConnection({ app }, query) {
      const { memberId } = await ownerOf(query, app)
      const member = await findMember(database.db, memberId)
      if (member === null) throw new ConnectRequiresLoginError()
      return { providerName: identityFlows.nameOf(app, query.provider), email: member.email }
    },
    requireOwnForm(origin) {
      // Another page could send the form with its own member's token, and so connect the visitor's sign-in to that account.
      if (origin === undefined || !siteOrigins.has(origin)) throw failMembership('domain-not-permitted')
    },
    async begin({ app, hostname }, mode, query, ip) {
      await rateLimits.consume('logins', ip)
      const owner = mode === 'connect' ? await ownerOf(query, app) : null
      return await identityFlows.begin({
        app,
        provider: query.provider,
        mode,
        hostname: hostname ?? noHostname,
        details: {
          ...(mode === 'connect' ? {} : readBelongings(query)),
          allowSignup: query.allowSignup === 'true',
          memberId: owner?.memberId ?? null,
          sessionId: owner?.id ?? null,
        },
      })
    },
    async take(callback) {
      const flow = await identityFlows.take(callback)
      if (flow === null) {
        throw new ConnectFailedError(
          'This sign-in has ended, or it was begun in another browser. Please start again.',
        )
      }
      return { flow, origins: originsOf(flow.app, flow.hostname === noHostname ? null : flow.hostname) }
    },
    async finish(flow, answer, caller) {
      const { app, mode, provider, details } = flow
      const arrived = await flow.identify(answer)
      if (mode === 'connect') {
        const providers = await identity.connect(app, beginnerOf(flow), { provider, identity: arrived })
        return { providers, message: 'The sign-in is connected to your account.' }
      }
      const { customFields, plans } = details
      const newcomer = mode === 'signup' || details.allowSignup ? { customFields, plans } : null
      return await identity.arrive(
        app,
        { provider, identity: arrived, newcomer },
        { ...caller, origin: flow.hostname },
      )
    },
  }
}

/**
 * The app's origins on a host: clients name no scheme and no port. Those of all hosts when none was named; the browser
 * hands the message over to the page that opened the popup alone, and only when it is one of these.
 */
function originsOf(app: MembershipApp, hostname: string | null): string[] {
  return [...app.origins].filter((origin) => hostname === null || URL.parse(origin)?.hostname === hostname)
}
