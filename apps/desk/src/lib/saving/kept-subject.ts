const prefix = 'tidings-desk/subject/'

/** Returns the subject of an edition that was typed on this device and not saved; null without one. */
export function readKeptSubject(key: string): string | null {
  try {
    return localStorage.getItem(prefix + key)
  } catch {
    // Where nothing may be kept, nothing is there.
    return null
  }
}

/** Keeps a typed subject until it is saved or given up, which is null. */
export function keepSubject(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(prefix + key)
    else localStorage.setItem(prefix + key, text)
  } catch {
    // The storage is full or not allowed. The open tab still has the subject.
  }
}
