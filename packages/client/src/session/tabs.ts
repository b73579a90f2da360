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
