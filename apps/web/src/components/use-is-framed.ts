import { useSyncExternalStore } from 'react'
import { frameOf } from './scroll/page-scroll.ts'

/** Returns whether the page scrolls inside the phone frame; on a phone the window scrolls. */
export function useIsFramed(): boolean {
  return useSyncExternalStore(subscribe, () => frameOf() !== null)
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('resize', onChange)
  return () => window.removeEventListener('resize', onChange)
}
