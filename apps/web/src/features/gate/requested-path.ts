/**
 * Returns the path that the gate interrupts, for the way back after the password. It stays in the state of the
 * browser's history entry, which no link can set.
 */
export function requestedPath(location: { href: string; pathname: string; searchStr: string }): string {
  // The query in front of the hash stays in the address anyway.
  const isDocumentQuery = location.searchStr !== '' && location.searchStr === window.location.search
  return isDocumentQuery ? location.pathname : location.href
}

/** Returns the path to show once the gate is open: the requested one, if it is a path of this site, or else `/`. */
export function pathAfterGate(requested: string | undefined): string {
  const isOwnPath = requested !== undefined && /^\/(?![/\\])/.test(requested)
  return isOwnPath ? requested : '/'
}
