import type { disconnectProviderReply, MemberSession } from '@tidings/contracts/auth'
import type { Member } from '@tidings/contracts/members'
import { isInvalidToken } from './membership-error.ts'
import { askPopup } from './popup.ts'
import type { DataOf, Reply } from './replies.ts'
import type { Send } from './request.ts'
import type { SessionStore } from './session-store.ts'

type Session = Pick<MemberSession, 'tokens' | 'member'>
type Disconnected = DataOf<typeof disconnectProviderReply>
type Connected = { providers: { provider: string }[]; message?: string }

type SignupParams = {
  provider: string
  customFields?: Record<string, unknown>
  /** Free plans to begin with. */
  plans?: { planId: string }[]
}

type Deps = {
  send: Send
  session: SessionStore
  settings: { apiBase: string; publicKey: string; appId: string | undefined; popupTimeoutMs: number }
}

/**
 * Sign-in with another site's account. What opens a window has to be called while a click is handled.
 */
export function createProviderCalls({ send, session, settings }: Deps) {
  const { apiBase, publicKey, appId, popupTimeoutMs } = settings

  function addressOf(mode: 'signup' | 'login' | 'connect', query: Record<string, string>): URL {
    const address = new URL(`${apiBase}/auth-provider/${mode}`, location.href)
    const known = { ...query, ...(appId !== undefined && { appId }), publicKey, origin: location.hostname }
    address.search = new URLSearchParams(known).toString()
    return address
  }

  async function enter(address: URL): Promise<Reply<Session>> {
    const begun = session.begin()
    const data = await askPopup<Session>(address, popupTimeoutMs)
    session.open(data, begun)
    return { data }
  }

  return {
    /** Makes an account by a provider and logs it in. */
    signupWithProvider({ provider, customFields = {}, plans = [] }: SignupParams): Promise<Reply<Session>> {
      return enter(
        addressOf('signup', { provider, customFields: encode(customFields), plans: encode(plans) }),
      )
    },

    /** Logs in by a provider; `allowSignup` makes an account where there is none. */
    loginWithProvider({ provider, allowSignup = false }: LoginParams): Promise<Reply<Session>> {
      return enter(addressOf('login', { provider, allowSignup: String(allowSignup) }))
    },

    /** Adds a provider to the ways into the member's account. */
    async connectProvider({ provider }: { provider: string }): Promise<Reply<Connected>> {
      const begun = session.begin()
      const token = begun.token === null ? {} : { member: begun.token }
      try {
        const data = await askPopup<Connected>(addressOf('connect', { provider, ...token }), popupTimeoutMs)
        const { providers, message } = data
        session.change((member) => withProviders(member, providers), begun)
        return message === undefined ? { data } : { data, message }
      } catch (error) {
        if (isInvalidToken(error)) session.end(begun)
        throw error
      }
    },

    /** Takes a provider away from the ways into the member's account. */
    async disconnectProvider({ provider }: { provider: string }): Promise<Reply<Disconnected>> {
      const begun = session.begin()
      const reply = await send<Disconnected>('POST', '/member/disconnect-provider', { body: { provider } })
      session.change((member) => withProviders(member, reply.data.providers), begun)
      return reply
    },
  }
}

function withProviders(member: Member | null, providers: Connected['providers']): Member | null {
  return member && { ...member, auth: { ...member.auth, providers } }
}

/** The protocol has these encoded once more than a query is anyway. */
function encode(value: unknown): string {
  return encodeURIComponent(JSON.stringify(value))
}

type LoginParams = { provider: string; allowSignup?: boolean }
