import type { DnsLookup } from '#integrations/dns/dns-lookup.ts'
import { type CheckedRecords, type Finding, missing, ok, warning } from './finding.ts'
import { isInNetwork } from './ip-networks.ts'

/** RFC 7208, section 4.6.4. */
const maxLookups = 10
const maxVoidLookups = 2

type Result = 'pass' | 'fail' | 'softfail' | 'neutral'
type State = { lookups: number; voidLookups: number }

/** A record that receivers can't use (permerror). */
class SpfError extends Error {}

const results = new Map<string, Result>([
  ['', 'pass'],
  ['+', 'pass'],
  ['-', 'fail'],
  ['~', 'softfail'],
  ['?', 'neutral'],
])
const needsLookup = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect'])
const known = new Set([...needsLookup, 'all', 'ip4', 'ip6', 'exp'])

/** Checks the SPF record of a domain (RFC 7208), and whether it covers the addresses that its emails come from. */
export async function checkSpf(
  dns: DnsLookup,
  domain: string,
  senders: readonly string[],
): Promise<CheckedRecords> {
  const records = await spfRecordsOf(dns, domain)
  return { title: `SPF of ${domain}`, records, findings: await findingsOf(dns, domain, records, senders) }
}

async function findingsOf(
  dns: DnsLookup,
  domain: string,
  records: readonly string[],
  senders: readonly string[],
): Promise<Finding[]> {
  const example = senders.map((address) => `${address.includes(':') ? 'ip6' : 'ip4'}:${address}`).join(' ')
  const publish = `Publish TXT ${domain} "v=spf1 ${example || "include:<your mail service's domain>"} ~all".`
  const [record] = records
  if (record === undefined) return [missing(`There is no SPF record. ${publish}`)]
  if (records.length > 1) {
    return [missing(`There are ${records.length} SPF records, so receivers use none. Merge them into one.`)]
  }
  try {
    const findings: Finding[] = []
    // Counts the lookups of the whole record.
    const state: State = { lookups: 0, voidLookups: 0 }
    await evaluate(dns, { domain, record, address: null, state })
    for (const address of senders) {
      const result = await evaluate(dns, { domain, record, address, state: { lookups: 0, voidLookups: 0 } })
      findings.push(
        result === 'pass'
          ? ok(`${address} may send.`)
          : missing(`${address} may not send (${result}). Add it, or the include of your mail service.`),
      )
    }
    if (senders.length === 0) findings.push(ok('The record is valid.'))
    return [...findings, ...aboutTheRest(record)]
  } catch (error) {
    if (error instanceof SpfError) return [missing(`${error.message} Receivers can't use the record.`)]
    throw error
  }
}

/** Returns the findings about the mechanism for all other addresses (`all`). */
function aboutTheRest(record: string): Finding[] {
  const all = termsOf(record).find(({ name }) => name === 'all')
  if (all?.result === 'pass') return [missing('+all lets every server send in your name. Use ~all or -all.')]
  if (all === undefined && !/\bredirect=/i.test(record)) {
    return [warning('The record has no "all", so others may send too. Add ~all or -all at its end.')]
  }
  return all?.result === 'neutral' ? [warning('?all says nothing about others. Use ~all or -all.')] : []
}

async function spfRecordsOf(dns: DnsLookup, domain: string): Promise<readonly string[]> {
  return (await dns.texts(domain)).filter((text) => /^v=spf1( |$)/i.test(text))
}

function termsOf(record: string) {
  return record
    .split(/ +/)
    .slice(1)
    .filter((term) => term !== '')
    .map((term) => {
      const [, sign = '', name = '', value = ''] =
        /^([-+~?]?)([a-z][\w.-]*)(?:[:=](.*)|(?=\/)(.*))?$/i.exec(term) ?? []
      const prefix = /\/[\d/]+$/.exec(term)?.[0] ?? ''
      return { term, result: results.get(sign) ?? 'neutral', name: name.toLowerCase(), value, prefix }
    })
}

type Evaluation = { domain: string; record: string; address: string | null; state: State }

/** Returns what a record says about an address. Without one it walks through the whole record. */
async function evaluate(dns: DnsLookup, { domain, record, address, state }: Evaluation): Promise<Result> {
  const terms = termsOf(record)
  for (const { term, name, value, prefix, result } of terms) {
    // RFC 7208: unknown modifiers are ignored, unknown mechanisms are not.
    if (!known.has(name) && !/^[a-z][\w.-]*=/i.test(term)) throw new SpfError(`"${term}" is not valid.`)
    if (name === 'redirect') continue
    if (needsLookup.has(name)) countLookup(state)
    if (await matches(dns, { name, value, prefix, term, domain, address, state })) return result
  }
  const redirect = terms.find(({ name }) => name === 'redirect')
  if (redirect === undefined || terms.some(({ name }) => name === 'all')) return 'neutral'
  countLookup(state)
  return await evaluateOther(dns, redirect.value, address, state)
}

type Term = { name: string; value: string; prefix: string; term: string } & Omit<Evaluation, 'record'>

async function matches(
  dns: DnsLookup,
  { name, value, prefix, term, domain, address, state }: Term,
): Promise<boolean> {
  // A macro depends on the message.
  if (value.includes('%{')) return false
  const host = value.replace(/\/.*$/, '') || domain
  switch (name) {
    case 'all':
      return address !== null
    case 'ip4':
    case 'ip6': {
      const isInside = isInNetwork(address ?? '', value)
      if (isInside === null) throw new SpfError(`"${term}" is not a network.`)
      return isInside
    }
    case 'include':
      return (await evaluateOther(dns, value, address, state)) === 'pass'
    case 'a':
      return isAmong(address, await counted(state, dns.addresses(host)), prefix)
    case 'mx': {
      const exchanges = await counted(state, dns.mailExchanges(host))
      const addresses = await Promise.all(
        exchanges.slice(0, 10).map(({ exchange }) => dns.addresses(exchange)),
      )
      return isAmong(address, addresses.flat(), prefix)
    }
    default:
      return false
  }
}

async function evaluateOther(
  dns: DnsLookup,
  domain: string,
  address: string | null,
  state: State,
): Promise<Result> {
  if (domain === '') throw new SpfError('An include or redirect names no domain.')
  if (domain.includes('%{')) return 'neutral'
  const records = await counted(state, spfRecordsOf(dns, domain))
  const [record] = records
  if (record === undefined || records.length > 1) {
    throw new SpfError(`${domain}, which it refers to, has ${records.length} SPF records instead of one.`)
  }
  return await evaluate(dns, { domain, record, address, state })
}

/** Also ends records that include each other. */
function countLookup(state: State): void {
  state.lookups += 1
  if (state.lookups > maxLookups) throw new SpfError('It needs more than ten lookups.')
}

async function counted<T>(state: State, records: Promise<readonly T[]>): Promise<readonly T[]> {
  const found = await records
  if (found.length === 0) state.voidLookups += 1
  if (state.voidLookups > maxVoidLookups) throw new SpfError('More than two names in it do not exist.')
  return found
}

function isAmong(address: string | null, addresses: readonly string[], prefix: string): boolean {
  const [, ip4 = '32', ip6 = '128'] = /^\/(\d+)(?:\/\/?(\d+))?$/.exec(prefix) ?? []
  return addresses.some(
    (each) => isInNetwork(address ?? '', `${each}/${each.includes(':') ? ip6 : ip4}`) === true,
  )
}
