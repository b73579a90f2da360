import type { MemberSession } from './member-session.ts'

/**
 * Puts the membership client with its dialogs on the page as `$membership`, for scripts of the page. The first access
 * loads it, until then it is undefined: a first visit has no use for it.
 */
export function exposeClient(page: Window, session: MemberSession): void {
  Object.defineProperty(page, '$membership', {
    configurable: true,
    get() {
      const client = session.loadedClient()
      if (client === null) void session.getClient().catch(() => undefined)
      return client ?? undefined
    },
  })
}
