import type { disconnectProviderReply, MemberSession } from '@tidings/contracts/membership/auth'
import type { Member } from '@tidings/contracts/membership/members'
import type { SessionStore } from '../session/session-store.ts'
import { isInvalidToken } from '../wire/membership-error.ts'
import type { DataOf, Reply } from '../wire/replies.ts'
import { openPopup } from './popup.ts'
import type { Send } from './request.ts'

type Session = Pick<MemberSession, 'tokens' | 'member'>
type Disconnected = DataOf<typeof disconnectProviderReply>
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

  function addressOf(mode: 'signup' | 'login' | 'connect', query: Record<string, string>): URL {
    const address = new URL(`${apiBase}/auth-provider/${mode}`, location.href)
    const known = { ...query, ...(appId !== undefined && { appId }), publicKey, origin: location.hostname }
    address.search = new URLSearchParams(known).toString()
    return address
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
        addressOf('signup', { provider, customFields: encode(customFields), plans: encode(plans) }),
      )
    },

    /** Logs in with a provider. `allowSignup` creates a missing account. */
    loginWithProvider({ provider, allowSignup = false }: LoginParams): Promise<Reply<Session>> {
      return openSession(addressOf('login', { provider, allowSignup: String(allowSignup) }))
    },

    /** Connects a provider to the member's account. */
    async connectProvider({ provider }: { provider: string }): Promise<Reply<Connected>> {
      const start = session.begin()
      const token = start.token === null ? {} : { member: start.token }
      try {
        const data = await openPopup<Connected>(addressOf('connect', { provider, ...token }), popupTimeoutMs)
        const { providers, message } = data
        session.change((member) => withProviders(member, providers), start)
        return message === undefined ? { data } : { data, message }
      } catch (error) {
        if (isInvalidToken(error)) session.end(start)
        throw error
      }
    },

    /** Disconnects a provider from the member's account. */
    async disconnectProvider({ provider }: { provider: string }): Promise<Reply<Disconnected>> {
      const start = session.begin()
      const reply = await send<Disconnected>('POST', '/member/disconnect-provider', { body: { provider } })
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
