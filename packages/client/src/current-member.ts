import type { Member } from '@tidings/contracts/members'
import type { Reply } from './replies.ts'
import type { Send } from './request.ts'
import type { SessionStore } from './session-store.ts'

type Current = Reply<Member | null>

/** Makes the function that answers who is logged in; calls at the same time share one request. */
export function createCurrentMember({ send, session }: { send: Send; session: SessionStore }) {
  let asking: { token: string; answer: Promise<Current> } | null = null

  async function ask(): Promise<Current> {
    const begun = session.begin()
    const { data } = await send<Member | null>('GET', '/member')
    // The answer about a session that is over is nobody's: ask again about the present one.
    if (!session.seen(data, begun)) return getCurrentMember()
    return { data: session.member() ?? data }
  }

  function share(token: string): Promise<Current> {
    if (asking?.token === token) return asking.answer
    const mine = { token, answer: ask() }
    asking = mine
    const done = () => {
      if (asking === mine) asking = null
    }
    // Takes failures too: nobody else hears of them when the cached member was enough.
    mine.answer.then(done, done)
    return mine.answer
  }

  /**
   * The member, or null without a session. With `useCache` the cached member is answered at once, where there is one,
   * and brought up to date behind; `onAuthChange` tells when it was another one.
   */
  async function getCurrentMember({ useCache = false }: { useCache?: boolean } = {}): Promise<Current> {
    const token = session.token()
    if (token === null) {
      session.end(session.begin())
      return { data: null }
    }
    const cached = useCache ? session.member() : null
    const answer = share(token)
    return cached === null ? answer : { data: cached }
  }

  return getCurrentMember
}
