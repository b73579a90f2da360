import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it, test } from 'vitest'
import { createNodeDnsLookup } from '#integrations/dns/node-dns-lookup.ts'
import { type DnsName, startDnsServer } from '#test/mail/dns-server.ts'
import { checkDeliveries } from './check-deliveries.ts'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
const dkimRecord = `v=DKIM1; k=rsa; p=${publicKey}`
type CheckedMail = Parameters<typeof checkDeliveries>[0]['mail']
const sender = '203.0.113.7'

type Names = Record<string, DnsName>

/** Names under which nothing is missing. */
const complete: Names = {
  'news.example.com': { TXT: ['a verification', `v=spf1 ip4:${sender} ~all`], MX: [[10, 'mx.example.com']] },
  's1._domainkey.news.example.com': { TXT: [[dkimRecord.slice(0, 255), dkimRecord.slice(255)]] },
  '_dmarc.news.example.com': { TXT: ['v=DMARC1; p=reject; rua=mailto:dmarc@example.com'] },
  'bounces.example.com': { TXT: ['v=spf1 include:spf.example.net -all'], MX: [[10, 'worker.example.com']] },
  'spf.example.net': { TXT: [['v=spf1 ip4:203.0.', '113.0/24 -all']] },
  'worker.example.com': { A: ['203.0.113.9'] },
  'mail.example.com': { A: [sender] },
  '7.113.0.203.in-addr.arpa': { PTR: ['mail.example.com'] },
}

const key = { domain: 'news.example.com', selector: 's1', privateKey }
const mail: CheckedMail = {
  from: 'Tidings, Inc. <hello@news.example.com>',
  smtpUrl: 'smtp://mail.example.com:587',
  bulkSmtpUrl: null,
  dkim: key,
  bounceDomain: 'Bounces.example.com',
  bounceSmtpPort: 2526,
}

/** Checks with these names instead of the complete ones. Returns the lines, and whether nothing is missing. */
async function check(changes: Names, settings: Partial<CheckedMail> = {}, senders: readonly string[] = []) {
  const dns = createNodeDnsLookup([await startDnsServer({ ...complete, ...changes })])
  const { text, isComplete } = await checkDeliveries({ mail: { ...mail, ...settings }, senders, dns })
  return { lines: text.split('\n'), text, isComplete }
}

it('prints every record as DNS has it, and that nothing is missing', async () => {
  const { text, isComplete } = await check({})
  expect(isComplete).toBe(true)
  expect(text).not.toMatch(/MISSING|UNKNOWN|warning/)
  for (const part of [
    'SPF of news.example.com\n  v=spf1 ip4:203.0.113.7 ~all\n  ok: 203.0.113.7 may send.',
    'SPF of bounces.example.com\n  v=spf1 include:spf.example.net -all\n  ok: 203.0.113.7 may send.',
    `DKIM of news.example.com\n  ${dkimRecord}\n  ok: The key is published.`,
    'DMARC of news.example.com\n  v=DMARC1; p=reject; rua=mailto:dmarc@example.com\n  ok: The policy is reject.',
    'MX of bounces.example.com (bounces)\n  10 worker.example.com\n  ok: worker.example.com is 203.0.113.9.',
    'PTR of 203.0.113.7\n  mail.example.com\n  ok: mail.example.com has this address, too.',
  ]) {
    expect(text).toContain(part)
  }
})

const spf = (...TXT: (string | readonly string[])[]): Names => ({ 'news.example.com': { TXT } })
const includes = (count: number): Names =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `i${index}.example.net`,
      { TXT: [`v=spf1 include:i${index + 1}.example.net -all`] },
    ]),
  )

test.each<[string, Names, string]>([
  [
    'no SPF record',
    spf('v=spf10 -all'),
    'There is no SPF record. Publish TXT news.example.com "v=spf1 ip4:203.0.113.7 ~all".',
  ],
  ['two SPF records', spf(`v=spf1 ip4:${sender} ~all`, 'v=spf1 -all'), 'There are 2 SPF records'],
  [
    'another address in SPF',
    spf('v=spf1 ip4:198.51.100.1 ip6:2001:db8::/32 -all'),
    '203.0.113.7 may not send (fail)',
  ],
  [
    'an SPF record that says little',
    spf('v=spf1 a:nothing.example.com ~all'),
    '203.0.113.7 may not send (softfail)',
  ],
  ['an SPF record for all servers', spf('v=spf1 +all'), '+all lets every server send'],
  ['a misspelled mechanism', spf(`v=spf1 ipv4:${sender} -all`), '"ipv4:203.0.113.7" is not valid'],
  ['a malformed network', spf('v=spf1 ip4:203.0.113.0/33 -all'), '"ip4:203.0.113.0/33" is not a network'],
  [
    'an include without a record',
    spf('v=spf1 include:nowhere.example.net -all'),
    'nowhere.example.net, which it refers to, has 0 SPF records',
  ],
  [
    'eleven includes',
    { ...spf('v=spf1 include:i0.example.net -all'), ...includes(12) },
    'It needs more than ten lookups',
  ],
  ['an include of itself', spf('v=spf1 include:news.example.com -all'), 'It needs more than ten lookups'],
  [
    'three names that do not exist',
    spf('v=spf1 a:x1.example.com a:x2.example.com a:x3.example.com ~all'),
    'More than two names',
  ],
  [
    'no DKIM record',
    { 's1._domainkey.news.example.com': {} },
    `Publish TXT s1._domainkey.news.example.com "${dkimRecord.slice(0, 255)}" "${dkimRecord.slice(255)}"`,
  ],
  ['a revoked key', { 's1._domainkey.news.example.com': { TXT: ['v=DKIM1; p='] } }, 'The key is revoked'],
  [
    'another key',
    { 's1._domainkey.news.example.com': { TXT: ['v=DKIM1; k=rsa; p=MIIBIjANBg'] } },
    'The record has another key',
  ],
  [
    'two keys',
    { 's1._domainkey.news.example.com': { TXT: [dkimRecord, 'v=DKIM1; p='] } },
    'There are 2 records',
  ],
  [
    'a key for another hash',
    { 's1._domainkey.news.example.com': { TXT: [`h=sha1; p=${publicKey}`] } },
    'does not allow sha256',
  ],
  [
    'something else than a key',
    { 's1._domainkey.news.example.com': { TXT: ['hello'] } },
    'The record is not a DKIM key',
  ],
  [
    'no policy',
    { '_dmarc.news.example.com': {} },
    'There is no DMARC record. Publish TXT _dmarc.news.example.com',
  ],
  [
    'two policies',
    { '_dmarc.news.example.com': { TXT: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] } },
    'several DMARC records',
  ],
  [
    'a policy that is misspelled',
    { '_dmarc.news.example.com': { TXT: ['v=DMARC1; p=quarantaine'] } },
    'no valid policy',
  ],
  [
    'no MX record',
    { 'bounces.example.com': { TXT: [`v=spf1 ip4:${sender} -all`] } },
    'There is no MX record',
  ],
  ['an MX without an address', { 'worker.example.com': {} }, 'worker.example.com has no address'],
  [
    'a null MX',
    { 'bounces.example.com': { TXT: [`v=spf1 ip4:${sender} -all`], MX: [[0, '.']] } },
    'no mail is received',
  ],
  ['no PTR record', { '7.113.0.203.in-addr.arpa': {} }, 'There is no PTR record'],
  [
    'a name of another address',
    { '7.113.0.203.in-addr.arpa': { PTR: ['worker.example.com'] } },
    'worker.example.com has another address',
  ],
])('%s is missing', async (_name, changes, text) => {
  const { lines, isComplete } = await check(changes)
  const missing = lines.filter((line) => line.startsWith('  MISSING: '))
  expect(missing.join('\n')).toContain(text)
  expect(isComplete).toBe(false)
  expect(lines.at(-2)).toMatch(/^\d+ of \d+ checks failed\./)
})

test.each<[string, Names, string]>([
  [
    'a policy that only watches',
    { '_dmarc.news.example.com': { TXT: ['v=DMARC1;p=none'] } },
    'warning: The policy is none',
  ],
  [
    'the policy of the domain above',
    { '_dmarc.news.example.com': {}, '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject; sp=quarantine'] } },
    'ok: The policy is quarantine. It is that of example.com.',
  ],
  [
    'a key behind a CNAME',
    { 's1._domainkey.news.example.com': { CNAME: 'k.example.net' }, 'k.example.net': { TXT: [dkimRecord] } },
    'ok: The key is published.',
  ],
  [
    'a key in testing',
    { 's1._domainkey.news.example.com': { TXT: [`${dkimRecord}; t=y:s`] } },
    'warning: t=y asks receivers',
  ],
  ['an address by its host', spf('v=spf1 mx a:mail.example.com -all'), 'ok: 203.0.113.7 may send.'],
  ['an address by a redirect', spf('v=spf1 redirect=spf.example.net'), 'ok: 203.0.113.7 may send.'],
  [
    'an address by the network of a host',
    spf('v=spf1 a:worker.example.com/28 -all'),
    'ok: 203.0.113.7 may send.',
  ],
  [
    'an unknown modifier',
    spf(`V=SPF1  x-note=1 ip4:${sender} exp=why.example.com -all`),
    'ok: 203.0.113.7 may send.',
  ],
  ['a record that controls terminals', spf('v=spf1 \u001b[2J ~all'), 'v=spf1 ?[2J ~all'],
])('%s is read', async (_name, changes, text) => {
  expect((await check(changes)).text).toContain(text)
})

describe('DNS', () => {
  it.each<[string, DnsName, string]>([
    ['that fails', 'SERVFAIL', 'ESERVFAIL'],
    ['that is silent', 'silent', 'ETIMEOUT'],
  ])('%s leaves a check unknown, and others are made', async (_name, answer, code) => {
    const { text, isComplete } = await check({ '_dmarc.news.example.com': answer })
    expect(text).toContain(`UNKNOWN: DNS did not say what _dmarc.news.example.com has (${code}). Try again.`)
    expect(text).toContain('ok: The key is published.')
    expect(isComplete).toBe(false)
  })

  it('that is not there leaves all checks unknown', async () => {
    const { text, isComplete } = await checkDeliveries({
      mail,
      senders: [],
      dns: createNodeDnsLookup(['127.0.0.1:9']),
    })
    expect(text.match(/UNKNOWN: DNS did not say/g)?.length).toBeGreaterThan(3)
    expect(text).not.toMatch(/\n {4}at /)
    expect(isComplete).toBe(false)
  })
})

describe('settings', () => {
  it('say which addresses send, unless they are named', async () => {
    const smtpUrl = 'smtp://127.0.0.1:25'
    expect((await check({}, { smtpUrl })).text).toContain(
      'warning: The address that emails come from is not known here',
    )
    const named = await check({}, { smtpUrl }, ['203.0.113.8', '2001:db8::1'])
    expect(named.text).toContain('MISSING: 203.0.113.8 may not send (softfail)')
    expect(named.text).toContain('PTR of 2001:db8::1\n  MISSING: There is no PTR record')
  })

  it('without DKIM or bounces give warnings', async () => {
    const { text } = await check({}, { dkim: null, bounceDomain: '' })
    expect(text).toContain('warning: DKIM_DOMAIN is empty')
    expect(text).toContain('warning: BOUNCE_DOMAIN is empty')
  })

  it('of a key above the sender must be allowed by DMARC', async () => {
    const dkim = { ...key, domain: 'example.com' }
    const names = { 's1._domainkey.example.com': { TXT: [dkimRecord] } }
    expect((await check(names, { dkim })).isComplete).toBe(true)
    const strict = { '_dmarc.news.example.com': { TXT: ['v=DMARC1; p=reject; adkim=s'] } }
    expect((await check({ ...names, ...strict }, { dkim })).text).toContain(
      'MISSING: adkim=s asks for signatures',
    )
  })
})
