type Watch = {
  /** Keys of local storage whose change matters. */
  keys: string[]
  /** Name of a channel for what storage events do not tell, as changes of cookies; null for none. */
  channel: string | null
  onChange: () => void
}

/** Hears from the page's other tabs, and tells them, that the session changed. Outside a browser it does nothing. */
export function createTabs({ keys, channel: name, onChange }: Watch) {
  const hasPage = typeof window !== 'undefined'
  const channel =
    hasPage && name !== null && typeof BroadcastChannel === 'function' ? new BroadcastChannel(name) : null

  function hear({ key }: StorageEvent): void {
    // No key: the whole storage was cleared.
    if (key === null || keys.includes(key)) onChange()
  }

  if (channel !== null) channel.onmessage = onChange
  if (hasPage) window.addEventListener('storage', hear)

  return {
    tell: () => channel?.postMessage(null),
    close() {
      channel?.close()
      if (hasPage) window.removeEventListener('storage', hear)
    },
  }
}
