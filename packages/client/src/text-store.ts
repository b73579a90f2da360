/** A small text store that never throws. `expires` is in milliseconds since 1970. */
export type TextStore = {
  get: (key: string) => string | null
  set: (key: string, value: string, expires?: number) => void
  remove: (key: string) => void
}

const cookieSeconds = 14 * 86_400

/** Keeps texts in the browser's storage, and until the page closes what the browser refuses to keep. */
export function createLocalStore(): TextStore {
  return withMemory({
    get: (key) => window.localStorage.getItem(key),
    set: (key, value) => window.localStorage.setItem(key, value),
    remove: (key) => window.localStorage.removeItem(key),
  })
}

/**
 * Keeps texts in cookies of the whole site that no other site's page sends along. A text without an end is kept for
 * 14 days; what the browser refuses to keep stays until the page closes.
 */
export function createCookieStore(): TextStore {
  return withMemory({
    get(key) {
      const start = `${encodeURIComponent(key)}=`
      const cookie = document.cookie.split('; ').find((text) => text.startsWith(start))
      return cookie === undefined ? null : decodeURIComponent(cookie.slice(start.length))
    },
    set(key, value, expires) {
      writeCookie(key, value, expires === undefined ? `max-age=${cookieSeconds}` : endAt(expires))
    },
    remove(key) {
      writeCookie(key, '', endAt(0))
    },
  })
}

function endAt(moment: number): string {
  return `expires=${new Date(moment).toUTCString()}`
}

function writeCookie(key: string, value: string, end: string): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API answers later and is missing on plain http
  document.cookie = `${encodeURIComponent(key)}=${encodeURIComponent(value)}; path=/; samesite=strict; ${end}${secure}`
}

/** Puts memory in front of a store that may be missing, closed or full. There, null means removed. */
function withMemory(store: TextStore): TextStore {
  const memory = new Map<string, string | null>()

  const stored = (key: string) => attempt(() => store.get(key)) ?? null

  function settle(key: string, value: string | null): void {
    if (stored(key) === value) memory.delete(key)
    else memory.set(key, value)
  }

  return {
    get(key) {
      const kept = memory.get(key)
      return kept === undefined ? stored(key) : kept
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
