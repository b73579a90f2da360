import { isLocal } from '../http/local-address.ts'

/** The one registered client. */
export const emulatorClient = { id: 'tidings-local', secret: 'local-secret' }

/**
 * Returns whether an emulator may redirect to this address: a callback path of the site, on this machine by http or
 * on one of `origins`.
 */
export function isCallback(address: string, origins: readonly string[]): boolean {
  const url = URL.parse(address)
  if (!url || url.search || url.hash || url.username || url.password) return false
  if (!/^\/auth-provider\/callback\/[a-z0-9-]+$/.test(url.pathname)) return false
  return (url.protocol === 'http:' && isLocal(url)) || origins.includes(url.origin)
}
