import type { MemberSession } from './member-session.ts'

/**
 * Puts the membership client with its dialogs on the page as `$membership`, for scripts of the page. The first call loads
 * it: a first visit has no use for it. Until then each method returns a promise.
 */
export function exposeClient(page: Window, session: MemberSession): void {
  const waiting = new Proxy(
    {},
    {
      get(_target, name) {
        // Otherwise, `await` would take it for a promise.
        if (name === 'then') return undefined
        const read = () => session.getClient().then((client) => Reflect.get(client, name))
        if (name === 'onReady') return read()
        return (...given: unknown[]) => read().then((method) => method(...given))
      },
    },
  )
  Object.defineProperty(page, '$membership', {
    configurable: true,
    get: () => session.loadedClient() ?? waiting,
  })
}
