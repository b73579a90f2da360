import type { Route } from '@tidings/contracts/endpoint'
import { urlOf } from '@tidings/contracts/endpoint'
import type { MemberSession } from '@tidings/contracts/membership/auth'
import type { Member } from '@tidings/contracts/membership/members'
import * as routes from '@tidings/contracts/membership/routes'
import type { SessionStore } from '../session/session-store.ts'
import { isInvalidToken } from '../wire/membership-error.ts'
import type { Reply } from '../wire/replies.ts'
import { openPopup } from './popup.ts'
import type { Send } from './request.ts'

type Session = Pick<MemberSession, 'tokens' | 'member'>
type Connected = { providers: { provider: string }[]; message?: string }

type SignupParams = {
  provider: string
  customFields?: Record<string, unknown>
  /** Free plans to add. */
  plans?: { planId: string }[]
}

type Deps = {
  send: Send
  session: SessionStore
  settings: { apiBase: string; publicKey: string; appId: string | undefined; popupTimeoutMs: number }
}

/** Creates the calls for signing in with an identity provider. Calls that open a window belong in a click handler. */
export function createProviderCalls({ send, session, settings }: Deps) {
  const { apiBase, publicKey, appId, popupTimeoutMs } = settings

  function addressOf(route: Route, given: Record<string, string>): URL {
    const query = { ...given, appId, publicKey, origin: location.hostname }
    return new URL(apiBase + urlOf(route, { query }), location.href)
  }

  async function openSession(address: URL): Promise<Reply<Session>> {
    const start = session.begin()
    const data = await openPopup<Session>(address, popupTimeoutMs)
    session.open(data, start)
    return { data }
  }

  return {
    /** Creates an account with a provider and logs the member in. */
    signupWithProvider({ provider, customFields = {}, plans = [] }: SignupParams): Promise<Reply<Session>> {
      return openSession(
        addressOf(routes.openSignupPopup, {
          provider,
          customFields: encode(customFields),
          plans: encode(plans),
        }),
      )
    },

    /** Logs in with a provider. `allowSignup` creates a missing account. */
    loginWithProvider({ provider, allowSignup = false }: LoginParams): Promise<Reply<Session>> {
      return openSession(addressOf(routes.openLoginPopup, { provider, allowSignup: String(allowSignup) }))
    },

    /** Connects a provider to the member's account. */
    async connectProvider({ provider }: { provider: string }): Promise<Reply<Connected>> {
      const start = session.begin()
      const token = start.token === null ? {} : { member: start.token }
      try {
        const data = await openPopup<Connected>(
          addressOf(routes.openConnectPopup, { provider, ...token }),
          popupTimeoutMs,
        )
        const { providers, message } = data
        session.change((member) => withProviders(member, providers), start)
        return message === undefined ? { data } : { data, message }
      } catch (error) {
        if (isInvalidToken(error)) session.end(start)
        throw error
      }
    },

    /** Disconnects a provider from the member's account. */
    async disconnectProvider({ provider }: { provider: string }) {
      const start = session.begin()
      const reply = await send(routes.disconnectProvider, { body: { provider } })
      session.change((member) => withProviders(member, reply.data.providers), start)
      return reply
    },
  }
}

function withProviders(member: Member | null, providers: Connected['providers']): Member | null {
  return member && { ...member, auth: { ...member.auth, providers } }
}

/** Encodes a value once more than the query does, as the protocol requires. */
function encode(value: unknown): string {
  return encodeURIComponent(JSON.stringify(value))
}

type LoginParams = { provider: string; allowSignup?: boolean }
