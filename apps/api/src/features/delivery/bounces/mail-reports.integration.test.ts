import { describe, expect } from 'vitest'
import type { MailReport } from '#integrations/mail/reports/mail-report.ts'
import { readReport } from '#integrations/mail/reports/read-report.ts'
import { createCapturedLog } from '#test/captured-log.ts'
import { sentDelivery } from '#test/factories/deliveries.ts'
import { siteTest } from '#test/fixtures.ts'
import { createReturnAddresses } from '../links/return-addresses.ts'

const domain = 'bounces.example.com'
let days = 1

const log = createCapturedLog()

const it = siteTest({ env: { BOUNCE_DOMAIN: domain }, overrides: { logger: log.logger } })
  .extend('returnAddressOf', { scope: 'file' }, ({ site }) => ({ id }: { id: string }) => {
    const { siteSecret: secret } = site.context.config.secrets
    return createReturnAddresses({ secret, domain }).of(id) ?? ''
  })
  .extend('sent', { scope: 'file' }, ({ site, members, returnAddressOf }) => async () => {
    const member = await members.signUp()
    const key = `09-${String(days++).padStart(2, '0')}-26-10AM`
    const { delivery } = await sentDelivery(site, { ...member, key })
    return { delivery, email: member.email, returnAddress: returnAddressOf(delivery) }
  })
  .extend('stateOf', { scope: 'file' }, ({ db }) => async ({ id }: { id: string }) => {
    const { state, reason } = await db.delivery.findUniqueOrThrow({ where: { id } })
    return [state, reason]
  })
  .extend('suppressionOf', { scope: 'file' }, ({ db }) => async (address: string) => {
    const row = await db.suppression.findUnique({ where: { address } })
    return row === null ? null : [row.kind, row.bounces, row.suppressedAt !== null]
  })

const bounce = (status: string): MailReport => ({
  kind: 'bounced',
  status,
  diagnosis: '',
  reason: status,
  quoted: [],
})
const complaint = (quoted: MailReport['quoted'] = []): MailReport => ({
  kind: 'complained',
  status: 'abuse',
  diagnosis: '',
  reason: 'complaint: abuse',
  quoted,
})

/** Returns a complaint (RFC 5965) about a message with a header. */
function arf(header: string): string {
  return [
    'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
    '',
    '--b',
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    header,
    '--b--',
  ].join('\r\n')
}

describe('a failed report', () => {
  it('with a temporary status is a bounce that suppresses no address', async ({
    site,
    sent,
    stateOf,
    suppressionOf,
  }) => {
    const { delivery, email, returnAddress } = await sent()
    await site.context.bounces.handler.receive(returnAddress, bounce('4.4.7'))
    expect(await stateOf(delivery)).toEqual(['bounced', '4.4.7'])
    expect(await suppressionOf(email)).toBeNull()
  })

  it('counts once for each delivery', async ({ site, sent, stateOf, suppressionOf }) => {
    const { delivery, email, returnAddress } = await sent()
    for (const status of ['5.1.1', '5.1.2', '5.1.1']) {
      await site.context.bounces.handler.receive(returnAddress, bounce(status))
    }
    expect(await stateOf(delivery)).toEqual(['bounced', '5.1.1'])
    expect(await suppressionOf(email)).toEqual(['bounce', 1, true])
  })

  it('to the address for complaints is ignored', async ({ site, sent, stateOf }) => {
    const { delivery, returnAddress } = await sent()
    const report = { ...bounce('5.1.1'), quoted: [returnAddress] }
    await site.context.bounces.handler.receive(`complaints@${domain}`, report)
    expect(await stateOf(delivery)).toEqual(['sent', null])
  })
})

describe('a complaint', () => {
  const complaints = `Complaints@${domain}`
  it.for([
    ['to the return address', (own: string) => [own]],
    ['that quotes it', (own: string) => [complaints, own]],
    ['that quotes it behind a redacted one', (own: string) => [complaints, `redacted@${domain}`, own]],
    ['that quotes the feedback ID', (own: string) => [complaints, own.replace(/@.*/, '').toUpperCase()]],
  ] as const)('%s suppresses the address', async ([, to], { site, sent, suppressionOf }) => {
    const { email, returnAddress } = await sent()
    const [address = '', ...quoted] = to(returnAddress)
    await site.context.bounces.handler.receive(address, complaint(quoted))
    expect(await suppressionOf(email)).toEqual(['complaint', 0, true])
  })

  it.for([
    ['nothing', () => []],
    ['a forged address', (own: string) => [own.replace(/\.[0-9a-f]{20}@/, '.00000000000000000000@')]],
    ['a forged feedback ID', (own: string) => [own.replace(/\.[0-9a-f]{20}@.*/, '.00000000000000000000')]],
    ['an address of another domain', (own: string) => [own.replace(domain, 'example.com')]],
  ] as const)(
    'that quotes %s is ignored, and logged without addresses',
    async ([, quote], { site, sent, suppressionOf }) => {
      const { email, returnAddress } = await sent()
      await site.context.bounces.handler.receive(complaints, complaint(quote(returnAddress)))
      expect(await suppressionOf(email)).toBeNull()
      expect(log.lines.at(-1)).toContain('complaint without a signature ignored')
      expect(log.lines.at(-1)).not.toContain('@')
    },
  )

  it('that knows the delivery, as shared web views show it, is ignored', async ({
    site,
    sent,
    suppressionOf,
  }) => {
    const { delivery, email } = await sent()
    const report = readReport(Buffer.from(arf(`Message-ID: <delivery-${delivery.id}@tidings.example>`)))
    if (report === null) throw new Error('The report was not read')
    await site.context.bounces.handler.receive(complaints, report)
    expect(await suppressionOf(email)).toBeNull()
  })
})

it('a return address gets ten reports an hour, in any case', async ({ site, sent }) => {
  const { handler } = site.context.bounces
  const { returnAddress } = await sent()
  const other = await sent()
  const admitted = Array.from({ length: 12 }, (_, index) =>
    handler.admit(index % 2 === 0 ? returnAddress : returnAddress.toUpperCase()),
  )
  expect(admitted.filter(Boolean)).toHaveLength(10)
  expect(handler.admit(other.returnAddress)).toBe(true)
  site.clock.pass(3_600_000)
  expect(handler.admit(returnAddress)).toBe(true)
})

it('reports are received at return addresses and at the address for complaints only', ({
  site,
  returnAddressOf,
}) => {
  const { handler } = site.context.bounces
  const own = returnAddressOf({ id: '0199a1f4-1111-7abc-8def-0123456789ab' })
  const addresses = [
    own,
    `COMPLAINTS@${domain}`,
    'complaints@example.com',
    `postmaster@${domain}`,
    own.replace('b.', 'c.'),
  ]
  expect(addresses.map((address) => handler.isReturnAddress(address))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})
