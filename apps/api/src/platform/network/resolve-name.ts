import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

/** Returns the addresses of a name. Rejects if it has none. */
export type ResolveName = (hostname: string) => Promise<LookupAddress[]>

const timeoutMs = 2_000

/**
 * Asks the DNS servers of this machine, or these. Others choose the names: `lookup` would keep the few threads of the
 * process busy with them, without a timeout.
 */
export function createNameResolver(servers: readonly string[] = []): ResolveName {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 })
  if (servers.length > 0) resolver.setServers(servers)
  return async (hostname) => {
    const family = isIP(hostname)
    if (family !== 0) return [{ address: hostname, family }]
    const [ip4, ip6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = [...addressesOf(ip4, 4), ...addressesOf(ip6, 6)]
    if (found.length === 0 && ip4.status === 'rejected') throw ip4.reason
    return found
  }
}

function addressesOf(result: PromiseSettledResult<string[]>, family: number): LookupAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : []
}
