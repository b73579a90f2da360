import { describe, expect } from 'vitest'
import { createRecipient } from '#test/factories/recipients.ts'
import { bounceOf } from '#test/mail/mail-report.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { createReturnAddresses } from '../links/return-addresses.ts'

const bounceDomain = 'bounces.example.com'
let events = 0

function nextEvent(): string {
  events += 1
  return `evt_refusals_${events}`
}

const it = deliveryTest({ env: { BOUNCE_DOMAIN: bounceDomain } })
  /** Sends an edition to a new member. */
  .extend('sent', { scope: 'file' }, ({ delivery }) => async (domain = 'example.com') => {
    const { site, db } = delivery
    const recipient = await createRecipient(site, { domain })
    const run = await delivery.publish('11-20-26-A')
    await delivery.send(run)
    const { id } = await db.delivery.findFirstOrThrow({ where: { memberId: recipient.memberId } })
    const { siteSecret: secret } = site.context.config.secrets
    const returnAddress = createReturnAddresses({ secret, domain: bounceDomain }).of(id) ?? ''
    return { ...recipient, run, id, returnAddress }
  })

describe('an address', () => {
  it.for([
    '550 5.7.1 Message rejected as spam',
    '552 5.3.4 Message too long',
    '554 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org',
    '553 5.1.8 Sender domain not found',
    '552 5.2.2 Mailbox full',
    '550 Relay not permitted',
    '421 4.7.0 Too many messages',
    '550 5.4.1 Recipient address rejected: Access denied',
  ])('is not suppressed after one %s, however it is told', async (reply, { delivery, sent }) => {
    const { bounces, suppression } = delivery.site.context
    const { email, memberId, run, id, returnAddress } = await sent()
    await bounces.recordRefusal(email, reply)
    await bounces.recordRefusal(email, reply, 'data')
    const event = { type: 'bounced', recipient: email, reason: reply } as const
    await bounces.receiveEvent(nextEvent(), event)
    // Also about a code or a receipt.
    const messageId = '<code-0199a1f4-1111-7abc-8def-0123456789ab@tidings.example>'
    await bounces.receiveEvent(nextEvent(), { ...event, messageId })
    const reason = `5.0.0 ${reply}`
    await bounces.handler.receive(returnAddress, bounceOf(reason))

    expect(await delivery.stateOf(run, memberId)).toBe(`bounced ${reason}`)
    expect(await suppression.find(memberId)).toBeNull()
    expect(id).not.toBe('')
  })

  it.for(['blocked using zen.spamhaus.org', 'greylisted', 'mailbox full'])(
    'is not suppressed after a long reply that ends with %s',
    async (end, { delivery, sent }) => {
      const { site, script } = delivery
      const { bounces, suppression } = site.context
      const { memberId, email, run, returnAddress } = await sent('long.example')
      const reply = `550 5.1.1 ${'Rejected. '.repeat(60)}${end}`
      const stored = reply.slice(0, 200)
      await bounces.receiveEvent(nextEvent(), { type: 'bounced', recipient: email, reason: reply })
      await bounces.handler.receive(returnAddress, bounceOf(`5.1.1 ${reply}`))
      expect(await delivery.stateOf(run, memberId)).toBe(`bounced 5.1.1 ${reply}`.slice(0, 308))
      script.answer = async () => ({
        outcome: 'permanent',
        code: '550',
        response: stored,
        fullResponse: reply,
        phase: 'rcpt',
      })
      const next = await delivery.publish('11-20-26-B')
      await delivery.send(next)

      expect(await delivery.stateOf(next, memberId)).toContain(stored)
      expect(await suppression.find(memberId)).toBeNull()
    },
  )

  it.for(['550 5.1.1 User unknown', '550 No such user', '553 5.1.3 Bad address', '550 5.2.1 Disabled'])(
    'is suppressed after one %s',
    async (reply, { delivery, sent }) => {
      const { bounces, suppression } = delivery.site.context
      const { email, memberId } = await sent()
      await bounces.recordRefusal(email, reply)
      expect(await suppression.find(memberId)).toMatchObject({ kind: 'bounce' })
    },
  )
})

describe('a report of failure', () => {
  it('is a bounce with a temporary status too, and does not suppress', async ({ delivery, sent }) => {
    const { memberId, run, returnAddress } = await sent()
    const reason = '4.4.1 Connection timed out'
    await delivery.site.context.bounces.handler.receive(returnAddress, bounceOf(reason))
    expect(await delivery.stateOf(run, memberId)).toBe(`bounced ${reason}`)
    expect(await delivery.db.suppression.count()).toBe(0)
  })

  it('of a mail service is kept without addresses, on one line', async ({ delivery, sent }) => {
    const { db, site } = delivery
    const { id, email, run, memberId } = await sent('service.example')
    const reason = `550 5.7.1 <${email}>:\r\n\u0000 blocked`
    const event = { type: 'bounced', messageId: `delivery-${id}`, reason } as const
    await site.context.bounces.receiveEvent(nextEvent(), event)
    expect(await delivery.stateOf(run, memberId)).toBe('bounced 550 5.7.1 … blocked')
    const found = await db.refusingDomain.findUnique({ where: { domain: 'service.example' } })
    expect(found).toMatchObject({ firstReply: '550 5.7.1 … blocked', lastReply: '550 5.7.1 … blocked' })
  })

  it('that is about us counts once for the domain, and delays nothing', async ({ delivery, sent }) => {
    const { db, site } = delivery
    const { returnAddress } = await sent('refuses.example')
    const report = bounceOf('5.7.1 550 5.7.1 Blocked')
    for (let each = 0; each < 2; each += 1) await site.context.bounces.handler.receive(returnAddress, report)

    expect(await db.suppression.count()).toBe(0)
    const found = await db.refusingDomain.findUnique({ where: { domain: 'refuses.example' } })
    expect(found).toMatchObject({ refusals: 1, retryAt: null, firstReply: report.reason })
    const next = await delivery.publish('11-20-26-B')
    await delivery.send(next)
    expect(delivery.script.sent).toHaveLength(2)
  })
})

it('a message carries its signed feedback ID, which feedback loops keep', async ({ delivery, sent }) => {
  const { memberId, returnAddress } = await sent()
  const feedbackId = delivery.script.sent.at(-1)?.headers['CFBL-Feedback-ID'] ?? ''
  expect(returnAddress).toBe(`${feedbackId}@${bounceDomain}`)
  const report = { ...bounceOf('complaint: abuse'), kind: 'complained', quoted: [feedbackId] } as const
  await delivery.site.context.bounces.handler.receive(`complaints@${bounceDomain}`, report)
  expect(await delivery.site.context.suppression.find(memberId)).toMatchObject({ kind: 'complaint' })
})
