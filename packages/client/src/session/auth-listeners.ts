import type { Member } from '@tidings/contracts/membership/members'

/** Called with the member, or with null after a logout. */
export type AuthCallback = (member: Member | null) => void

/** Holds the listeners of a page, and calls them once for each change of the member. */
export function createAuthListeners(readMember: () => Member | null) {
  const listeners = new Set<{ callback: AuthCallback }>()
  let announced = JSON.stringify(readMember())

  return {
    /** Adds a listener. The same callback may be added twice. */
    add(callback: AuthCallback) {
      const listener = { callback }
      listeners.add(listener)
      return { unsubscribe: () => listeners.delete(listener) }
    },

    /** Calls the listeners if the member has changed since the last call. */
    announce(): void {
      const member = readMember()
      const text = JSON.stringify(member)
      if (text === announced) return
      announced = text
      for (const { callback } of [...listeners]) notifyListener(callback, member)
    },

    clear: () => listeners.clear(),
  }
}

/** Reports an error of a listener without failing the call or the other listeners. */
function notifyListener(callback: AuthCallback, member: Member | null): void {
  try {
    callback(member)
  } catch (error) {
    globalThis.reportError?.(error)
  }
}
