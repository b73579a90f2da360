import { useSyncExternalStore } from 'react'

export const offlineText = 'You’re offline. Check your connection and try again.'

/** Returns whether the browser has a connection; it may still not reach the site. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine)
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}
