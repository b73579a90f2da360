import { isIP } from 'node:net'
import type { DnsLookup } from '#integrations/dns/dns-lookup.ts'
import { type CheckedRecords, type Finding, missing, ok } from './finding.ts'

/** Checks that other servers find the one that receives bounces. */
export async function checkMailExchange(dns: DnsLookup, domain: string): Promise<CheckedRecords> {
  const exchanges = await dns.mailExchanges(domain)
  const records = exchanges.map(({ exchange, priority }) => `${priority} ${exchange || '.'}`)
  const findings: Finding[] = []
  for (const { exchange } of exchanges) findings.push(await findingOf(dns, exchange))
  if (exchanges.length === 0) {
    findings.push(missing(`There is no MX record. Publish MX ${domain} "10 <host of a worker>".`))
  }
  return { title: `MX of ${domain} (bounces)`, records, findings }
}

async function findingOf(dns: DnsLookup, exchange: string): Promise<Finding> {
  if (exchange === '' || exchange === '.') return missing('The record says that no mail is received.')
  if (isIP(exchange.replace(/\.$/, '')) !== 0)
    return missing(`${exchange} is an address: MX needs a host name.`)
  const addresses = await dns.addresses(exchange)
  return addresses.length === 0
    ? missing(`${exchange} has no address. Publish A or AAAA ${exchange}.`)
    : ok(`${exchange} is ${addresses.join(', ')}.`)
}
