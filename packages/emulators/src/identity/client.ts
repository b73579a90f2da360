import { isLocal } from '../local-address.ts'

/** The one client that the stand-ins know. */
export const emulatorClient = { id: 'tidings-local', secret: 'local-secret' }

/**
 * Whether a stand-in may send people back to this address: the path is that of the site's callbacks, and the origin is
 * this machine, by http on any port, or one of `origins`.
 */
export function isCallback(address: string, origins: readonly string[]): boolean {
  const url = URL.parse(address)
  if (!url || url.search || url.hash || url.username || url.password) return false
  if (!/^\/auth-provider\/callback\/[a-z0-9-]+$/.test(url.pathname)) return false
  return (url.protocol === 'http:' && isLocal(url)) || origins.includes(url.origin)
}
