/** Text storage that never throws: a browser may deny access to its storage or run out of space. */
export type Store = {
  get: (key: string) => string | null
  set: (key: string, value: string) => void
  remove: (key: string) => void
  /** Calls back when another tab changes a value. Returns what stops it. */
  subscribe: (onChange: (change: StoreChange) => void) => () => void
}

export type StoreChange = { key: string; before: string | null; after: string | null }

/** Wraps the browser's storage. Values that the browser does not store stay in memory until the page closes. */
export function createStore(openStorage: () => Storage): Store {
  const inMemory = new Map<string, string>()
  return {
    get(key) {
      return inMemory.get(key) ?? attempt(() => openStorage().getItem(key))
    },
    set(key, value) {
      const wasStored = attempt(() => {
        openStorage().setItem(key, value)
        return true
      })
      if (wasStored === true) inMemory.delete(key)
      else inMemory.set(key, value)
    },
    remove(key) {
      inMemory.delete(key)
      attempt(() => openStorage().removeItem(key))
    },
    subscribe(onChange) {
      function follow({ key, oldValue, newValue, storageArea }: StorageEvent) {
        if (key === null || storageArea !== attempt(openStorage)) return
        inMemory.delete(key)
        onChange({ key, before: oldValue, after: newValue })
      }
      window.addEventListener('storage', follow)
      return () => window.removeEventListener('storage', follow)
    },
  }
}

function attempt<T>(access: () => T): T | null {
  try {
    return access()
  } catch {
    return null
  }
}
