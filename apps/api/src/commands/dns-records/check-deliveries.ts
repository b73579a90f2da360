import { domainToASCII } from 'node:url'
import type { Config } from '#config/config.ts'
import { type DnsLookup, DnsUnavailableError } from '#integrations/dns/dns-lookup.ts'
import { checkDkim } from './dkim.ts'
import { checkDmarc } from './dmarc.ts'
import { type CheckedRecords, type Finding, warning } from './finding.ts'
import { isInternal } from './ip-networks.ts'
import { checkMailExchange } from './mail-exchange.ts'
import { checkReverseName } from './reverse-name.ts'
import { checkSpf } from './spf.ts'

type Options = {
  mail: Pick<Config['mail'], 'from' | 'smtpUrl' | 'bulkSmtpUrl' | 'dkim' | 'bounceDomain' | 'bounceSmtpPort'>
  /** The addresses that emails come from; without any, those of the mail servers. */
  senders: readonly string[]
  dns: DnsLookup
}

const marks = { ok: 'ok', warning: 'warning', missing: 'MISSING', unknown: 'UNKNOWN' } as const

/**
 * Compares what DNS says about the site's emails with what receivers ask for. Returns it as text and by record, and
 * whether nothing is missing or unknown.
 */
export async function checkDeliveries(options: Options) {
  const checks = await checksOf(options)
  const sections = await Promise.all(checks.map(([title, check]) => orUnknown(title, check)))
  const findings = sections.flatMap(({ findings }) => findings)
  const count = findings.filter(({ level }) => level === 'missing' || level === 'unknown').length
  const conclusion =
    count === 0
      ? 'Nothing is missing.'
      : `${count} of ${findings.length} checks failed. Receivers may refuse emails or mark them as spam.`
  const text = `${[...sections.map(format), conclusion].join('\n\n')}\n`
  return { text, sections, isComplete: count === 0 }
}

type Check = readonly [title: string, check: () => Promise<CheckedRecords>]

async function checksOf({ dns, mail, senders: given }: Options): Promise<readonly Check[]> {
  const { dkim, bounceDomain, from } = mail
  const domain = domainToASCII(/@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? '')
  const senders = given.length > 0 ? given : await sendersOf(dns, mail)
  // Editions come from BOUNCE_DOMAIN, codes and receipts from the sender's own domain.
  const envelopeDomains = new Set([domain, ...(bounceDomain === '' ? [] : [bounceDomain.toLowerCase()])])
  return [
    ...[...envelopeDomains].map((each): Check => [`SPF of ${each}`, () => checkSpf(dns, each, senders)]),
    [`DKIM of ${domain}`, async () => (dkim === null ? withoutKey(domain) : await checkDkim(dns, dkim))],
    [`DMARC of ${domain}`, () => checkDmarc(dns, { domain, dkimDomain: dkim?.domain ?? null })],
    [`MX of ${bounceDomain || 'the bounce domain'}`, () => checkBounces(dns, mail)],
    ...(senders.length === 0 ? [withoutSender()] : []),
    ...senders.map((each): Check => [`PTR of ${each}`, () => checkReverseName(dns, each)]),
  ]
}

/** Returns the public addresses of the mail servers: a service that passes emails on has others. */
async function sendersOf(
  dns: DnsLookup,
  { smtpUrl, bulkSmtpUrl }: Options['mail'],
): Promise<readonly string[]> {
  const hosts = new Set(
    [smtpUrl, bulkSmtpUrl].filter((url) => url !== null).map((url) => new URL(url).hostname),
  )
  const addresses: string[] = []
  for (const host of hosts) {
    try {
      const plain = host.replace(/^\[(.*)\]$/, '$1')
      addresses.push(...(/^[\d.]+$|:/.test(plain) ? [plain] : await dns.addresses(plain)))
    } catch (error) {
      // The checks say that DNS doesn't reply.
      if (!(error instanceof DnsUnavailableError)) throw error
    }
  }
  return [...new Set(addresses)].filter((address) => !isInternal(address))
}

async function orUnknown(title: string, check: () => Promise<CheckedRecords>): Promise<CheckedRecords> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof DnsUnavailableError)) throw error
    return { title, records: [], findings: [{ level: 'unknown', text: `${error.message}. Try again.` }] }
  }
}

function withoutKey(domain: string): CheckedRecords {
  const text = `DKIM_DOMAIN is empty, so the mail server must sign emails for ${domain}.`
  return { title: `DKIM of ${domain}`, records: [], findings: [warning(text)] }
}

function withoutSender(): Check {
  const title = 'PTR'
  const text =
    'The address that emails come from is not known here. Name it: tidings deliveries check 192.0.2.1'
  return [title, async () => ({ title, records: [], findings: [warning(text)] })]
}

async function checkBounces(
  dns: DnsLookup,
  { bounceDomain, bounceSmtpPort }: Options['mail'],
): Promise<CheckedRecords> {
  if (bounceDomain === '') {
    const text = 'BOUNCE_DOMAIN is empty, so bounces go to MAIL_FROM and are not recorded.'
    return { title: 'MX of the bounce domain', records: [], findings: [warning(text)] }
  }
  const checked = await checkMailExchange(dns, bounceDomain.toLowerCase())
  const off = 'BOUNCE_SMTP_PORT is 0 here, so another worker must receive bounces.'
  return bounceSmtpPort === 0 ? { ...checked, findings: [...checked.findings, warning(off)] } : checked
}

function format({ title, records, findings }: CheckedRecords): string {
  const lines = findings.map(({ level, text }: Finding) => `  ${marks[level]}: ${text}`)
  return [title, ...records.map((record) => `  ${printable(record)}`), ...lines].join('\n')
}

/** A record may have any bytes, also those that control a terminal. */
function printable(record: string): string {
  return record.replaceAll(/\p{C}/gu, '?').slice(0, 2_000)
}
