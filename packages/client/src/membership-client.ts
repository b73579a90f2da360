import type { Member } from '@tidings/contracts/membership/members'
import { createAppCalls } from './calls/app-calls.ts'
import { createCommentCalls } from './calls/comment-calls.ts'
import { createCurrentMember } from './calls/current-member.ts'
import { createDeliveryCalls } from './calls/delivery-calls.ts'
import { createLoginCalls } from './calls/login-calls.ts'
import { createMemberCalls } from './calls/member-calls.ts'
import { createPlanCalls } from './calls/plan-calls.ts'
import { createProviderCalls } from './calls/provider-calls.ts'
import { createSend } from './calls/request.ts'
import { createSecureContentCalls } from './calls/secure-content-calls.ts'
import { createSessionStore, type SessionKeys } from './session/session-store.ts'

export type MembershipClientOptions = {
  /** The API's origin, such as `https://news.example`; '' for the page's own. */
  apiBase: string
  /** The app's public key, `pk_…`. */
  publicKey: string
  appId?: string | undefined
  /** Stores the token in a cookie instead of local storage. */
  useCookies?: boolean | undefined
  /** Other storage keys, where the defaults are taken. */
  keys?: SessionKeys | undefined
  /** Timeout of a call; 20 seconds by default. */
  timeoutMs?: number | undefined
  /** Timeout of a sign-in window; 10 minutes by default. */
  popupTimeoutMs?: number | undefined
}

/** The calls of the membership protocol for one app, and its session. */
export type MembershipClient = ReturnType<typeof createMembershipClient>

/**
 * Creates the client of a membership app. Calls resolve to `{ data, message? }` and reject with a `MembershipError`.
 * NOTE: create one client per page. On a server, everyone who uses the client shares its session in memory.
 */
export function createMembershipClient(options: MembershipClientOptions) {
  const { publicKey, appId, useCookies = false, keys = {} } = options
  const { timeoutMs = 20_000, popupTimeoutMs = 600_000 } = options
  const apiBase = options.apiBase.replace(/\/+$/, '')
  const session = createSessionStore({ useCookies, keys })
  const send = createSend({ apiBase, publicKey, appId, timeoutMs }, session)
  const getCurrentMember = createCurrentMember({ send, session })
  const getMemberToken = () => session.token() ?? undefined
  let ready: Promise<Member | null> | null = null

  return {
    ...createAppCalls({ send, session }),
    ...createLoginCalls({ send, session }),
    ...createMemberCalls({ send, session }),
    ...createDeliveryCalls({ send }),
    ...createPlanCalls({ send, session }),
    ...createProviderCalls({ send, session, settings: { apiBase, publicKey, appId, popupTimeoutMs } }),
    ...createSecureContentCalls({ send }),
    ...createCommentCalls({ send }),
    getCurrentMember,
    /** The API's origin; '' for the page's own. */
    apiBase,

    /** Returns the access token, undefined without a session. */
    getMemberToken,
    /** The older name of `getMemberToken`. */
    getMemberCookie: getMemberToken,

    /** Calls back on login, logout and changes of the member, in any tab. */
    onAuthChange: session.onAuthChange,

    /** Resolves to the member, or null. When the server is unavailable, resolves to the cached member. */
    get onReady(): Promise<Member | null> {
      ready ??= getCurrentMember().then(({ data }) => data, session.member)
      return ready
    },

    /** Removes all listeners. The stored session stays. */
    destroy: session.close,
  }
}
