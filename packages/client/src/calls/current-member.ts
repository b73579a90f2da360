import type { Member } from '@tidings/contracts/membership/members'
import * as routes from '@tidings/contracts/membership/routes'
import type { SessionStore } from '../session/session-store.ts'
import type { Reply } from '../wire/replies.ts'
import type { Send } from './request.ts'

type Current = Reply<Member | null>

/** Creates `getCurrentMember`. Concurrent calls share one request. */
export function createCurrentMember({ send, session }: { send: Send; session: SessionStore }) {
  let pending: { token: string; reply: Promise<Current> } | null = null

  async function fetchMember(): Promise<Current> {
    const start = session.begin()
    const { data } = await send(routes.getMember, {})
    // The session has changed since: read the current one.
    if (!session.seen(data, start)) return getCurrentMember()
    return { data: session.member() ?? data }
  }

  function share(token: string): Promise<Current> {
    if (pending?.token === token) return pending.reply
    const own = { token, reply: fetchMember() }
    pending = own
    const done = () => {
      if (pending === own) pending = null
    }
    // Also handles a failure, which the caller ignores when the cached member was enough.
    own.reply.then(done, done)
    return own.reply
  }

  /**
   * Returns the member, or null without a session. With `useCache` it returns a cached member at once and refreshes it in
   * the background; `onAuthChange` reports a difference.
   */
  async function getCurrentMember({ useCache = false }: { useCache?: boolean } = {}): Promise<Current> {
    const token = session.token()
    if (token === null) {
      session.end(session.begin())
      return { data: null }
    }
    const cached = useCache ? session.member() : null
    const reply = share(token)
    return cached === null ? reply : { data: cached }
  }

  return getCurrentMember
}
