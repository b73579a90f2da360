import type { DnsLookup } from '#integrations/dns/dns-lookup.ts'
import { type CheckedRecords, type Finding, missing, ok, warning } from './finding.ts'
import { readTags } from './tags.ts'

type Options = {
  /** The domain of the sender. */
  domain: string
  /** The domain of the DKIM signature; null if it is not known here. */
  dkimDomain: string | null
}

/** Checks the DMARC policy of a domain: its own, or that of the nearest domain above it. */
export async function checkDmarc(dns: DnsLookup, { domain, dkimDomain }: Options): Promise<CheckedRecords> {
  const title = `DMARC of ${domain}`
  for (const holder of domainsFrom(domain)) {
    const texts = await dns.texts(`_dmarc.${holder}`)
    const records = texts.filter((text) => /^v=DMARC1\s*(;|$)/.test(text))
    if (records.length === 0) continue
    return { title, records, findings: findingsOf(records, { domain, holder, dkimDomain }) }
  }
  const text = `There is no DMARC record. Publish TXT _dmarc.${domain} "v=DMARC1; p=none; rua=mailto:<address for reports>", and p=quarantine once the reports show only your own servers.`
  return { title, records: [], findings: [missing(text)] }
}

/** The domain and those above it that can have a policy, without the top-level domain. */
function domainsFrom(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'))
}

function findingsOf(
  [record = '', ...others]: readonly string[],
  { domain, holder, dkimDomain }: Options & { holder: string },
): Finding[] {
  if (others.length > 0) {
    return [missing(`_dmarc.${holder} has several DMARC records, so receivers use none. Keep one.`)]
  }
  const tags = readTags(record)
  const own = tags.get('p')?.toLowerCase()
  const policy = domain === holder ? own : (tags.get('sp')?.toLowerCase() ?? own)
  const from = domain === holder ? '' : ` It is that of ${holder}.`
  const findings: Finding[] = []
  if (policy === 'quarantine' || policy === 'reject') findings.push(ok(`The policy is ${policy}.${from}`))
  else if (policy === 'none') {
    findings.push(
      warning(`The policy is none, which only watches.${from} Use p=quarantine or p=reject in the end.`),
    )
  } else
    findings.push(missing(`The record has no valid policy.${from} Add p=none, p=quarantine or p=reject.`))
  if (dkimDomain !== null && tags.get('adkim')?.toLowerCase() === 's' && dkimDomain !== domain) {
    findings.push(missing(`adkim=s asks for signatures of ${domain}, but DKIM_DOMAIN is ${dkimDomain}.`))
  }
  return findings
}
