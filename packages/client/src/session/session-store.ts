import type { Member } from '@tidings/contracts/membership/members'
import type { OpenedSession } from '../wire/replies.ts'
import { isRecord, parseJson, textOf } from '../wire/wire-reading.ts'
import { createAuthListeners } from './auth-listeners.ts'
import { createCookieStore, createLocalStore, createTabs } from './browser-store.ts'
import { type CallStart, createCallOrder } from './call-order.ts'

/** The storage keys of the session. */
export type SessionKeys = {
  /** The access token; `_ms-mid` by default. */
  token?: string | undefined
  /** The cached member; `_ms-mem` by default. */
  member?: string | undefined
  /** The visit that the server counts; `_ms-visit` by default. */
  visit?: string | undefined
}

/** Returns the changed member from the cached one, or null when it is unknown. */
export type UpdateMember = (member: Member | null) => Member | null

export type SessionStore = ReturnType<typeof createSessionStore>

/**
 * Stores the token, the cached member and the visit, and notifies listeners in all tabs. A call passes its `begin()` with
 * its response, so that an outdated response changes nothing.
 */
export function createSessionStore(options: { useCookies: boolean; keys: SessionKeys }) {
  const { token: tokenKey = '_ms-mid', member: memberKey = '_ms-mem', visit = '_ms-visit' } = options.keys
  const local = createLocalStore()
  const tokens = options.useCookies ? createCookieStore() : local
  const readMember = () => (tokens.get(tokenKey) === null ? null : parseMember(local.get(memberKey)))
  const listeners = createAuthListeners(readMember)
  const calls = createCallOrder()

  const tabs = createTabs({
    keys: [tokenKey, memberKey],
    channel: options.useCookies ? tokenKey : null,
    onChange() {
      calls.changed()
      listeners.announce()
    },
  })

  function store(member: Member): void {
    const text = JSON.stringify(member)
    if (local.get(memberKey) !== text) {
      local.set(memberKey, text)
      tabs.notify()
    }
    listeners.announce()
  }

  const isCurrent = (start: CallStart) => start.token === tokens.get(tokenKey)

  function end(start: CallStart): void {
    if (!isCurrent(start)) return
    tokens.remove(tokenKey)
    local.remove(memberKey)
    calls.changed()
    // The visit ends only with a session.
    if (start.token !== null) {
      local.remove(visit)
      tabs.notify()
    }
    listeners.announce()
  }

  return {
    /** Returns the access token, or null without a session. */
    token: () => tokens.get(tokenKey),
    /** Returns the cached member, or null. */
    member: readMember,
    /** Returns the server's id of this visit, or null. */
    visit: () => local.get(visit),
    rememberVisit: (id: string) => local.set(visit, id),

    /** Returns the start of a call. Call it before sending. */
    begin: (): CallStart => calls.begin(tokens.get(tokenKey)),

    /** Stores a login, unless a login or logout that started later has already finished. */
    open({ tokens: { accessToken, expires }, member }: OpenedSession, start: CallStart): void {
      if (!calls.choose(start)) return
      calls.changed()
      tokens.set(tokenKey, accessToken, expires)
      store(member)
    },

    /**
     * Stores a member that was read, unless the read is outdated; null ends the session. Returns false when the session has
     * changed since the read.
     */
    seen(member: Member | null, start: CallStart): boolean {
      if (!isCurrent(start)) return false
      if (member === null) end(start)
      else if (calls.read(start)) store(member)
      return true
    },

    /** Applies a change that the server has made. */
    change(make: UpdateMember, start: CallStart): void {
      const member = make(readMember())
      if (member === null || start.token === null || !isCurrent(start)) return
      calls.changed()
      store(member)
    },

    /** Ends the session that a call started with. */
    end,

    /** Ends the session after a logout. A login that started before has no effect. */
    leave(start: CallStart): void {
      calls.choose(start)
      end(start)
    },

    /** Calls back on login, logout and changes of the member, in any tab. */
    onAuthChange: listeners.add,

    /** Removes all listeners. */
    close(): void {
      listeners.clear()
      tabs.close()
    },
  }
}

function parseMember(text: string | null): Member | null {
  const member = parseJson(text ?? '')
  return isMember(member) ? member : null
}

function isMember(value: unknown): value is Member {
  return isRecord(value) && textOf(value, 'id') !== ''
}
