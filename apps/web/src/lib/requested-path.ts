/**
 * Returns the path that the gate or a login interrupts, for the way back. It stays in the state of the browser's history
 * entry, which no link can set.
 */
export function requestedPath(location: { href: string; pathname: string; searchStr: string }): string {
  // The query in front of the hash stays in the address anyway.
  const isDocumentQuery = location.searchStr !== '' && location.searchStr === window.location.search
  return isDocumentQuery ? location.pathname : location.href
}

/** Returns the requested path if it is a path of this site, or else the other one. */
export function returnPath(requested: string | undefined, otherwise: string): string {
  const isOwnPath = requested !== undefined && /^\/(?![/\\])/.test(requested)
  return isOwnPath ? requested : otherwise
}
