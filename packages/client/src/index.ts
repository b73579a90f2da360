import type { Member } from '@tidings/contracts/members'
import { createAppCalls } from './app-calls.ts'
import { createCommentCalls } from './comment-calls.ts'
import { createCurrentMember } from './current-member.ts'
import { createLoginCalls } from './login-calls.ts'
import { createMemberCalls } from './member-calls.ts'
import { createPlanCalls } from './plan-calls.ts'
import { createProviderCalls } from './provider-calls.ts'
import { createSend } from './request.ts'
import { createSecureContentCalls } from './secure-content-calls.ts'
import { createSessionStore, type SessionKeys } from './session-store.ts'

export { type ClientErrorCode, MembershipError, type MembershipErrorCode } from './membership-error.ts'
export type { Reply } from './replies.ts'
export type { AuthCallback, SessionKeys } from './session-store.ts'

export type MembershipClientOptions = {
  /** The API's origin, as `https://news.example`; '' for the page's own. */
  apiBase: string
  /** The app's public key, `pk_…`. */
  publicKey: string
  appId?: string | undefined
  /** Whether the token is kept in a cookie instead of local storage. */
  useCookies?: boolean | undefined
  /** Names under which the browser keeps the session, where the usual ones are taken. */
  keys?: SessionKeys | undefined
  /** How long a call may take; 20 seconds when not named. */
  timeoutMs?: number | undefined
  /** How long a sign-in window may take; 10 minutes when not named. */
  popupTimeoutMs?: number | undefined
}

/** The client of one app: the calls of the membership protocol and the session that they open. */
export type MembershipClient = ReturnType<typeof createMembershipClient>

/**
 * Makes the client of a membership app. Every call resolves to `{ data }`, with the server's text for people as
 * `message` where it gave one, and rejects with a `MembershipError`. Nothing is sent before the first call.
 *
 * NOTE: make one client for each page. On a server it keeps the session in memory, for all who share it.
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
    ...createPlanCalls({ send, session }),
    ...createProviderCalls({ send, session, settings: { apiBase, publicKey, appId, popupTimeoutMs } }),
    ...createSecureContentCalls({ send }),
    ...createCommentCalls({ send }),
    getCurrentMember,

    /** The access token; undefined without a session. */
    getMemberToken,
    /** The same under its older name, wherever the token is kept. */
    getMemberCookie: getMemberToken,

    /** Calls back whenever somebody else, nobody or a changed member is logged in, in whichever tab it happened. */
    onAuthChange: session.onAuthChange,

    /**
     * Resolves to the member, or null, as soon as the server has said who is logged in; when it cannot be asked, to
     * the cached member. Asked once, when it is first read.
     */
    get onReady(): Promise<Member | null> {
      ready ??= getCurrentMember().then(({ data }) => data, session.member)
      return ready
    },

    /** Stops listening to other tabs and forgets all listeners. What the browser keeps stays. */
    destroy: session.close,
  }
}
