import type { LookupAddress, LookupOptions } from 'node:dns'
import { isIP } from 'node:net'
import { onlyPublic } from '#platform/network/only-public.ts'
import { isPublicAddress } from '#platform/network/public-address.ts'
import { createNameResolver, type ResolveName } from '#platform/network/resolve-name.ts'

type Callback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void

const localNames = ['localhost', '127.0.0.1', '[::1]']

/** Decides which addresses that browsers name may be called, so that none makes us call a server of our own network. */
export function createEndpointGuard(emulator: URL | null, resolveName: ResolveName = createNameResolver()) {
  const resolvePublic = onlyPublic(resolveName)

  function isEmulator(url: URL): boolean {
    if (emulator === null || url.protocol !== emulator.protocol || url.port !== emulator.port) return false
    const areLocal = [url, emulator].every(({ hostname }) => localNames.includes(hostname))
    return areLocal || url.hostname === emulator.hostname
  }

  /** Returns the address if it may be called once its name leads to public addresses; null if it may never be. */
  function read(endpoint: string): { url: URL; isEmulator: boolean } | null {
    const url = URL.parse(endpoint)
    // Browsers name an address in one spelling, so that each has one row. That of a URL has only what can be stored.
    if (url === null || url.href !== endpoint || url.hash !== '') return null
    if (url.username !== '' || url.password !== '') return null
    if (isEmulator(url)) return { url, isEmulator: true }
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const isPublic = isIP(host) === 0 ? host.includes('.') : isPublicAddress(host)
    return url.protocol === 'https:' && url.port === '' && isPublic ? { url, isEmulator: false } : null
  }

  return {
    read,

    /**
     * Returns whether a browser may be added with this address. One whose name isn't found is refused like one that leads
     * into our network: the reply would tell which names there are.
     */
    async accepts(endpoint: string): Promise<boolean> {
      const known = read(endpoint)
      if (known === null || known.isEmulator) return known !== null
      const found = await resolvePublic(known.url.hostname.replace(/^\[|\]$/g, '')).catch(() => [])
      return found.length > 0
    },

    /** Resolves a name for a connection, to public addresses only: those that are checked are those that are called. */
    lookUp(hostname: string, options: LookupOptions, callback: Callback): void {
      resolvePublic(hostname).then(
        (found) => {
          const [first] = found
          if (options.all || first === undefined) callback(null, found)
          else callback(null, first.address, first.family)
        },
        (error: NodeJS.ErrnoException) => callback(error, []),
      )
    },
  }
}
