import { useSyncExternalStore } from 'react'

const query = '(min-width: 1200px)'

/** Returns whether the window has room for a preview beside the text. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

function subscribe(onChange: () => void): () => void {
  const list = matchMedia(query)
  list.addEventListener('change', onChange)
  return () => list.removeEventListener('change', onChange)
}
