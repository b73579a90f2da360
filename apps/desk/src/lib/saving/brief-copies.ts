const prefix = 'tidings-desk/unsaved/'

/**
 * Keeps words at once, until the database has them: it answers too late for a tab that closes right after a key. Returns
 * whether they are kept.
 */
export function keepBriefly(id: string, words: object): boolean {
  try {
    localStorage.setItem(prefix + id, JSON.stringify(words))
    return true
  } catch {
    // The storage is full or not allowed. The database may still take them.
    return false
  }
}

/** Removes words that the database has, or that aren't needed any more. */
export function dropBriefly(id: string): void {
  try {
    localStorage.removeItem(prefix + id)
  } catch {
    // Where nothing may be kept, nothing is there.
  }
}

/** Returns the words that never reached the database. */
export function listBrief(): unknown[] {
  try {
    return Object.entries(localStorage)
      .filter(([name]) => name.startsWith(prefix))
      .flatMap(([, value]) => parse(String(value)))
  } catch {
    // Where nothing may be kept, nothing is there.
    return []
  }
}

/** Returns nothing for words that can’t be read, which don’t hide the others. */
function parse(json: string): unknown[] {
  try {
    return [JSON.parse(json)]
  } catch {
    return []
  }
}
