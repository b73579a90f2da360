import { describe, expect } from 'vitest'
import type { BulkResult } from '#integrations/mail/bulk-mailer.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { bounceOf } from '#test/mail/mail-report.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { createReturnAddresses } from '../links/return-addresses.ts'

const dayMs = 24 * 3_600_000
const full: BulkResult = {
  outcome: 'permanent',
  code: '552',
  response: '552 5.2.2 Mailbox full',
  phase: 'rcpt',
}
const fullForNow: BulkResult = {
  ...full,
  outcome: 'temporary',
  code: '452',
  response: '452 4.2.2 Over quota',
}
const accepted: BulkResult = { outcome: 'accepted' }
const slots = [...'ABCDEFGHIJKLMNOPQ']

const domain = 'bounces.example.com'
const it = deliveryTest({ env: { BOUNCE_DOMAIN: domain } })
  /** Sends an edition on each of these days, and returns what the ledger has of the member. */
  .extend('sendOn', { scope: 'file' }, ({ delivery }) => {
    return async (memberId: string, days: readonly (readonly [day: number, answer: BulkResult])[]) => {
      const { site, script, send, stateOf } = delivery
      const start = site.clock.now()
      const states: string[] = []
      for (const [index, [day, answer]] of days.entries()) {
        site.clock.moveTo(new Date(start.getTime() + day * dayMs))
        script.answer = async () => answer
        const run = await delivery.publish(`11-20-26-${slots[index]}`, ['First'], { deliver: true })
        await send(run)
        states.push(await stateOf(run, memberId))
      }
      return states
    }
  })

describe('a full mailbox', () => {
  it.for([
    [
      'three days',
      [
        [0, full],
        [1, full],
        [2, full],
        [3, accepted],
      ],
      'suppressed bounce',
    ],
    [
      'three days within two weeks',
      [
        [0, full],
        [7, full],
        [13, full],
        [14, accepted],
      ],
      'suppressed bounce',
    ],
    [
      'temporary refusals of three days',
      [
        [0, fullForNow],
        [1, fullForNow],
        [2, fullForNow],
        [3, accepted],
      ],
      'suppressed bounce',
    ],
    [
      'two days',
      [
        [0, full],
        [1, full],
        [2, accepted],
      ],
      'sent',
    ],
    [
      'one day, three times',
      [
        [0, full],
        [0.1, full],
        [0.2, full],
        [1, accepted],
      ],
      'sent',
    ],
    [
      'three days in three weeks',
      [
        [0, full],
        [10, full],
        [20, full],
        [21, accepted],
      ],
      'sent',
    ],
    [
      'three days with room in between',
      [
        [0, full],
        [1, full],
        [1.1, accepted],
        [2, full],
        [3, accepted],
      ],
      'sent',
    ],
    [
      'three days after there was room',
      [
        [0, full],
        [1, accepted],
        [2, full],
        [3, full],
        [4, full],
        [5, accepted],
      ],
      'suppressed bounce',
    ],
  ] as const satisfies [string, [number, BulkResult][], string][])(
    'for %s: the next edition is %s',
    async ([_name, days, expected], { delivery, sendOn }) => {
      const { memberId } = await createRecipient(delivery.site)
      const states = await sendOn(memberId, days)
      expect(states.at(-1)).toBe(expected)
      expect(states[0]).toMatch(/^(failed 552 5\.2\.2 Mailbox full|planned 452 4\.2\.2 Over quota)$/)
      expect(await delivery.db.refusingDomain.count()).toBe(0)
    },
  )

  it('delays no other member, and is sent again as usual', async ({ delivery }) => {
    const { site, script, send, stateOf } = delivery
    const [one, other] = [await createRecipient(site), await createRecipient(site)]
    script.answer = async ({ to }) => (to === one.email ? fullForNow : accepted)
    const run = await delivery.publish('11-20-26-A')
    await send(run)
    expect(await stateOf(run, other.memberId)).toBe('sent')
    script.answer = async () => accepted
    await send(run)
    expect(await stateOf(run, one.memberId)).toBe('sent')
  })

  it.for(['delivered', 'lifted'] as const)(
    'is forgotten once a message is %s',
    async (what, { delivery, sendOn }) => {
      const { site } = delivery
      const { bounces, suppression } = site.context
      const { memberId, email } = await createRecipient(site)
      await sendOn(memberId, [[0, full], [1, full], ...(what === 'lifted' ? [[2, full] as const] : [])])
      const event = { type: 'delivered', recipient: email, reason: '' } as const
      if (what === 'delivered') await bounces.receiveEvent('evt_full_delivered', event)
      else await suppression.lift(memberId)
      expect(await delivery.db.suppression.findUnique({ where: { address: email } })).toMatchObject({
        suppressedAt: null,
        fullDays: [],
      })
    },
  )

  it('counts by reports, too, also when they come days later', async ({ delivery, sendOn }) => {
    const { site, db, stateOf } = delivery
    const returnAddresses = createReturnAddresses({ secret: site.context.config.secrets.siteSecret, domain })
    const { memberId } = await createRecipient(site)
    await sendOn(
      memberId,
      [0, 1, 2, 3].map((day) => [day, accepted] as const),
    )
    const sent = await db.delivery.findMany({ where: { memberId }, orderBy: { id: 'asc' } })
    const report = async (index: number) => {
      site.clock.pass(dayMs)
      const address = returnAddresses.of(sent[index]?.id ?? '') ?? ''
      const reason = '4.4.7 452 4.2.2 The account is over quota'
      await site.context.bounces.handler.receive(address, bounceOf(reason))
    }
    await report(0)
    await report(1)
    await report(2)

    const reported = await db.delivery.findMany({ where: { memberId, state: 'bounced' } })
    expect(reported.map(({ reason }) => reason)).toEqual(
      Array(3).fill('4.4.7 452 4.2.2 The account is over quota'),
    )
    const next = await delivery.publish('11-20-26-Q', ['First'], { deliver: true })
    await delivery.send(next)
    expect(await stateOf(next, memberId)).toBe('suppressed bounce')
  })
})
