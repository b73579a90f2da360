import type { DnsLookup } from '#integrations/dns/dns-lookup.ts'
import { type CheckedRecords, type Finding, missing, ok } from './finding.ts'

/** Checks that an address has a name, and the name the address, as receivers ask for. */
export async function checkReverseName(dns: DnsLookup, address: string): Promise<CheckedRecords> {
  const names = await dns.names(address)
  return { title: `PTR of ${address}`, records: names, findings: [await findingOf(dns, address, names)] }
}

async function findingOf(dns: DnsLookup, address: string, names: readonly string[]): Promise<Finding> {
  if (names.length === 0) {
    return missing("There is no PTR record. Ask the network's provider to set it to the mail server's name.")
  }
  for (const name of names) {
    // Both sides write an IPv6 address in its shortest form.
    if ((await dns.addresses(name)).includes(address)) return ok(`${name} has this address, too.`)
  }
  return missing(`${names.join(', ')} has another address. Publish A or AAAA with ${address}.`)
}
