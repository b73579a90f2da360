import { useSyncExternalStore } from 'react'

const storageKey = 'desk-letter-keys'
const listeners = new Set<() => void>()

/** Returns whether single letters and digits are commands on this device. */
export function hasLetterKeys(): boolean {
  return localStorage.getItem(storageKey) !== 'off'
}

/** Turns the commands of single letters on or off, on this device. */
export function setLetterKeys(choice: 'on' | 'off'): void {
  if (choice === 'on') localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, choice)
  for (const listener of listeners) listener()
}

/** Returns whether single letters and digits are commands, and follows changes, also those of another tab. */
export function useLetterKeys(): boolean {
  return useSyncExternalStore(subscribe, hasLetterKeys)
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange)
  window.addEventListener('storage', onChange)
  return () => {
    listeners.delete(onChange)
    window.removeEventListener('storage', onChange)
  }
}
