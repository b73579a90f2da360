import { createPublicKey } from 'node:crypto'
import type { DnsLookup } from '#integrations/dns/dns-lookup.ts'
import { type CheckedRecords, type Finding, missing, ok, warning } from './finding.ts'
import { readTags } from './tags.ts'

type Key = { domain: string; selector: string; privateKey: string }

/** Checks that DNS has the public half of the key that signs emails (RFC 6376). */
export async function checkDkim(dns: DnsLookup, key: Key): Promise<CheckedRecords> {
  const name = `${key.selector}._domainkey.${key.domain}`
  const records = await dns.texts(name)
  return { title: `DKIM of ${key.domain}`, records, findings: findingsOf(records, name, publicKeyOf(key)) }
}

function publicKeyOf({ privateKey }: Key): string {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
}

function findingsOf(records: readonly string[], name: string, publicKey: string): Finding[] {
  const publish = `Publish TXT ${name} ${stringsOf(`v=DKIM1; k=rsa; p=${publicKey}`)}`
  const [record] = records
  if (record === undefined) return [missing(`There is no DKIM record. ${publish}`)]
  if (records.length > 1) {
    return [missing(`There are ${records.length} records, and receivers may take any of them. Keep one.`)]
  }
  const tags = readTags(record)
  const published = tags.get('p')?.replaceAll(/\s/g, '')
  const hashes = tags.get('h')?.toLowerCase()
  if (published === '') return [missing(`The key is revoked (its p= is empty). ${publish}`)]
  if ((tags.get('v') ?? 'DKIM1') !== 'DKIM1' || published === undefined) {
    return [missing(`The record is not a DKIM key. ${publish}`)]
  }
  if ((tags.get('k') ?? 'rsa') !== 'rsa' || published !== publicKey) {
    return [missing(`The record has another key than DKIM_PRIVATE_KEY. ${publish}`)]
  }
  if (hashes !== undefined && !hashes.split(':').some((hash) => hash.trim() === 'sha256')) {
    return [missing(`The record does not allow sha256. ${publish}`)]
  }
  const isTesting =
    tags
      .get('t')
      ?.split(':')
      .some((flag) => flag.trim() === 'y') === true
  return [
    ok('The key is published.'),
    ...(isTesting ? [warning('t=y asks receivers to ignore failures. Remove it after your tests.')] : []),
  ]
}

/** Writes a record as DNS takes it: in strings of at most 255 characters. */
function stringsOf(record: string): string {
  return (record.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(' ')
}
