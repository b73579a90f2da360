import { Resolver } from 'node:dns/promises'
import { hasErrorCode } from '#platform/system-errors.ts'
import { type DnsLookup, DnsUnavailableError } from './dns-lookup.ts'

/** Asks these servers, such as `192.0.2.53` or `192.0.2.53:5353`; without any, those of this machine. */
export function createNodeDnsLookup(servers: readonly string[]): DnsLookup {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)

  async function ask<T>(name: string, query: () => Promise<readonly T[]>): Promise<readonly T[]> {
    try {
      return await query()
    } catch (error) {
      if (hasErrorCode(error, 'ENOTFOUND', 'ENODATA')) return []
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
      throw new DnsUnavailableError(name, code)
    }
  }

  return {
    async texts(name) {
      const records = await ask(name, () => resolver.resolveTxt(name))
      return records.map((strings) => strings.join(''))
    },
    async mailExchanges(name) {
      const records = await ask(name, () => resolver.resolveMx(name))
      return records.toSorted((a, b) => a.priority - b.priority)
    },
    async addresses(name) {
      const ip4 = await ask(name, () => resolver.resolve4(name))
      return [...ip4, ...(await ask(name, () => resolver.resolve6(name)))]
    },
    names: async (address) => await ask(address, () => resolver.reverse(address)),
  }
}
