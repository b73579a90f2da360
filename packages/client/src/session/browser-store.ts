/** A text store that never throws. `expires` is in milliseconds since 1970. */
export type TextStore = {
  get: (key: string) => string | null
  set: (key: string, value: string, expires?: number) => void
  remove: (key: string) => void
}

const cookieSeconds = 14 * 86_400

/** Stores texts in local storage, or in memory where the browser rejects that. */
export function createLocalStore(): TextStore {
  return withMemory({
    get: (key) => window.localStorage.getItem(key),
    set: (key, value) => window.localStorage.setItem(key, value),
    remove: (key) => window.localStorage.removeItem(key),
  })
}

/** Stores texts in strict same-site cookies, for 14 days by default, or in memory where the browser rejects that. */
export function createCookieStore(): TextStore {
  return withMemory({
    get(key) {
      const start = `${encodeURIComponent(key)}=`
      const cookie = document.cookie.split('; ').find((text) => text.startsWith(start))
      return cookie === undefined ? null : decodeURIComponent(cookie.slice(start.length))
    },
    set(key, value, expires) {
      writeCookie(key, value, expires === undefined ? `max-age=${cookieSeconds}` : expiresAt(expires))
    },
    remove(key) {
      writeCookie(key, '', expiresAt(0))
    },
  })
}

function expiresAt(time: number): string {
  return `expires=${new Date(time).toUTCString()}`
}

function writeCookie(key: string, value: string, end: string): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous and missing on plain http
  document.cookie = `${encodeURIComponent(key)}=${encodeURIComponent(value)}; path=/; samesite=strict; ${end}${secure}`
}

/** Returns a store that falls back to memory. In memory, null means removed. */
function withMemory(store: TextStore): TextStore {
  const memory = new Map<string, string | null>()

  const stored = (key: string) => attempt(() => store.get(key)) ?? null

  function settle(key: string, value: string | null): void {
    if (stored(key) === value) memory.delete(key)
    else memory.set(key, value)
  }

  return {
    get(key) {
      const inMemory = memory.get(key)
      return inMemory === undefined ? stored(key) : inMemory
    },
    set(key, value, expires) {
      attempt(() => store.set(key, value, expires))
      settle(key, value)
    },
    remove(key) {
      attempt(() => store.remove(key))
      settle(key, null)
    },
  }
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

type Watch = {
  /** The keys of local storage to watch. */
  keys: string[]
  /** A channel for changes without storage events, such as cookies; null for none. */
  channel: string | null
  onChange: () => void
}

/** Watches and reports changes of the session across tabs. Outside a browser it does nothing. */
export function createTabs({ keys, channel: name, onChange }: Watch) {
  const hasPage = typeof window !== 'undefined'
  const channel =
    hasPage && name !== null && typeof BroadcastChannel === 'function' ? new BroadcastChannel(name) : null

  function onStorage({ key }: StorageEvent): void {
    // The key is null when the whole storage was cleared.
    if (key === null || keys.includes(key)) onChange()
  }

  if (channel !== null) channel.onmessage = onChange
  if (hasPage) window.addEventListener('storage', onStorage)

  return {
    notify: () => channel?.postMessage(null),
    close() {
      channel?.close()
      if (hasPage) window.removeEventListener('storage', onStorage)
    },
  }
}
