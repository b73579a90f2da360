const localNames = ['localhost', '127.0.0.1', '[::1]']

/** Returns whether an address names this machine. */
export function isLocal(url: URL): boolean {
  return localNames.includes(url.hostname) || url.hostname.endsWith('.localhost')
}
