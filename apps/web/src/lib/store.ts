/** A small text store that never throws: a browser may refuse or fill its storage at any time. */
export type Store = {
  get: (key: string) => string | null
  set: (key: string, value: string) => void
  remove: (key: string) => void
}

/** Wraps the browser's storage. What the browser refuses to keep is kept until the page closes. */
export function createStore(openStorage: () => Storage): Store {
  const kept = new Map<string, string>()
  return {
    get(key) {
      return kept.get(key) ?? attempt(() => openStorage().getItem(key))
    },
    set(key, value) {
      const wasStored = attempt(() => {
        openStorage().setItem(key, value)
        return true
      })
      if (wasStored === true) kept.delete(key)
      else kept.set(key, value)
    },
    remove(key) {
      kept.delete(key)
      attempt(() => openStorage().removeItem(key))
    },
  }
}

function attempt<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}
