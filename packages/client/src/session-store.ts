import type { Member } from '@tidings/contracts/members'
import { createCallOrder, type Moment } from './call-order.ts'
import type { OpenedSession } from './replies.ts'
import { createTabs } from './tabs.ts'
import { createCookieStore, createLocalStore } from './text-store.ts'
import { isRecord, parseJson, textOf } from './wire-reading.ts'

/** Called with the member, or with null when nobody is logged in any more. */
export type AuthCallback = (member: Member | null) => void

/** Names under which the browser keeps the session. */
export type SessionKeys = {
  /** The access token; `_ms-mid` when not named. */
  token?: string | undefined
  /** The cached member; `_ms-mem` when not named. */
  member?: string | undefined
  /** The visit that the server counts; `_ms-visit` when not named. */
  visit?: string | undefined
}

/** Makes the changed member of the cached one; either may be unknown. */
export type MakeMember = (member: Member | null) => Member | null

export type SessionStore = ReturnType<typeof createSessionStore>

/**
 * Keeps the token, the cached member and the visit, and tells listeners in every tab who is logged in. A call takes
 * the moment when it begins and hands it back with its answer; answers that came too late change nothing.
 */
export function createSessionStore(options: { useCookies: boolean; keys: SessionKeys }) {
  const { token: tokenKey = '_ms-mid', member: memberKey = '_ms-mem', visit = '_ms-visit' } = options.keys
  const local = createLocalStore()
  const tokens = options.useCookies ? createCookieStore() : local
  const listeners = new Set<{ callback: AuthCallback }>()
  const calls = createCallOrder()
  let announced = JSON.stringify(readMember())

  const tabs = createTabs({
    keys: [tokenKey, memberKey],
    channel: options.useCookies ? tokenKey : null,
    onChange() {
      calls.changed()
      announce()
    },
  })

  function readMember(): Member | null {
    if (tokens.get(tokenKey) === null) return null
    const member = parseJson(local.get(memberKey) ?? '')
    return isMember(member) ? member : null
  }

  function announce(): void {
    const member = readMember()
    const text = JSON.stringify(member)
    if (text === announced) return
    announced = text
    for (const { callback } of [...listeners]) tellListener(callback, member)
  }

  function keep(member: Member): void {
    const text = JSON.stringify(member)
    if (local.get(memberKey) !== text) {
      local.set(memberKey, text)
      tabs.tell()
    }
    announce()
  }

  const isCurrent = (moment: Moment) => moment.token === tokens.get(tokenKey)

  function end(moment: Moment): void {
    if (!isCurrent(moment)) return
    tokens.remove(tokenKey)
    local.remove(memberKey)
    calls.changed()
    // A visitor's visit goes on: only with a session does it end.
    if (moment.token !== null) {
      local.remove(visit)
      tabs.tell()
    }
    announce()
  }

  return {
    /** The access token, or null without a session. */
    token: () => tokens.get(tokenKey),
    /** The cached member, or null. */
    member: readMember,
    /** The server's name for this visit, or null. */
    visit: () => local.get(visit),
    rememberVisit: (id: string) => local.set(visit, id),

    /** The present moment, to be taken before a call is sent. */
    begin: (): Moment => calls.begin(tokens.get(tokenKey)),

    /** Takes over a login, unless the person has logged in or out since by a call that began later. */
    open({ tokens: { accessToken, expires }, member }: OpenedSession, moment: Moment): void {
      if (!calls.choose(moment)) return
      calls.changed()
      tokens.set(tokenKey, accessToken, expires)
      keep(member)
    },

    /**
     * Takes over what a read of the member answered, unless the member changed meanwhile or a later read came first;
     * null ends the session. Answers false when the session is another one by now.
     */
    seen(member: Member | null, moment: Moment): boolean {
      if (!isCurrent(moment)) return false
      if (member === null) end(moment)
      else if (calls.read(moment)) keep(member)
      return true
    },

    /** Takes over a change that the server has made. */
    change(make: MakeMember, moment: Moment): void {
      const member = make(readMember())
      if (member === null || moment.token === null || !isCurrent(moment)) return
      calls.changed()
      keep(member)
    },

    /** The session of that moment is over: its token and its member go. */
    end,

    /** The same because the person wanted it: a login that began before has no effect any more. */
    leave(moment: Moment): void {
      calls.choose(moment)
      end(moment)
    },

    /** Calls back whenever somebody else, nobody or a changed member is logged in, in whichever tab it happened. */
    onAuthChange(callback: AuthCallback) {
      const listener = { callback }
      listeners.add(listener)
      return { unsubscribe: () => listeners.delete(listener) }
    },

    /** Stops listening to other tabs and forgets all listeners. */
    close(): void {
      listeners.clear()
      tabs.close()
    },
  }
}

/** A listener that fails is the page's affair, and no reason to fail a login or the other listeners. */
function tellListener(callback: AuthCallback, member: Member | null): void {
  try {
    callback(member)
  } catch (error) {
    globalThis.reportError?.(error)
  }
}

function isMember(value: unknown): value is Member {
  return isRecord(value) && textOf(value, 'id') !== ''
}
