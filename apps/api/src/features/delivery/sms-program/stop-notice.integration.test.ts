import { afterAll, describe, expect } from 'vitest'
import { createSmsRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { startPhones } from '#test/sms/phones.ts'

const phones = await startPhones()
afterAll(() => phones.stop())

const notice = 'Reply STOP to end texts.'
const it = deliveryTest({ env: { ...phones.env, SITE_TIME_ZONE: 'UTC', SMS_QUIET_HOURS: 'off' } })
it.beforeEach(() => phones.setFaults({}))

/** Returns whether each text to a number ended with how to stop, oldest first. */
async function noticesTo(number: string): Promise<boolean[]> {
  return (await phones.textsTo(number)).map((text) => text.endsWith(`\n${notice}`)).reverse()
}

describe('how to stop', () => {
  it('ends the first text of each month to each member', async ({ delivery }) => {
    const { site } = delivery
    const ann = await createSmsRecipient(site)
    await delivery.sendSms(await delivery.publish('11-20-26-A'))
    const bob = await createSmsRecipient(site)
    await delivery.sendSms(await delivery.publish('11-20-26-B'))
    expect([await noticesTo(ann.number), await noticesTo(bob.number)]).toEqual([[true, false], [true]])

    site.clock.moveTo(new Date('2026-11-30T23:50:00.000Z'))
    await delivery.sendSms(await delivery.publish('11-30-26-C'))
    site.clock.moveTo(new Date('2026-12-01T00:10:00.000Z'))
    await delivery.sendSms(await delivery.publish('12-01-26-A'))
    await delivery.sendSms(await delivery.publish('12-01-26-B'))

    expect(await noticesTo(ann.number)).toEqual([true, false, false, true, false])
    expect(await noticesTo(bob.number)).toEqual([true, false, true, false])
  })

  it('ends one text where a member gets memos and PDFs', async ({ delivery }) => {
    const methods = { getPDFMethodBySMS: true, getmemomethodbysms: true }
    const { number } = await createSmsRecipient(delivery.site, { methods })
    await delivery.sendSms(await delivery.publish('11-20-26-A'))
    expect((await noticesTo(number)).sort()).toEqual([false, true])
  })

  it.for([
    ['is tried again', { rateLimitEvery: 1 }, /^planned/],
    ['is lost', { failEvery: 1 }, /^unconfirmed/],
  ] as const)('ends the next text after one that %s', async ([_what, faults, state], { delivery }) => {
    const { memberId, number } = await createSmsRecipient(delivery.site)
    const run = await delivery.publish('11-20-26-A')
    await phones.setFaults(faults)
    await delivery.sendSms(run)
    expect(await delivery.stateOf(run, memberId)).toMatch(state)
    await phones.setFaults({})
    if (state.test('planned')) await delivery.sendSms(run)
    await delivery.sendSms(await delivery.publish('11-20-26-B'))
    await delivery.sendSms(await delivery.publish('11-20-26-C'))
    const expected = state.test('planned') ? [true, false, false] : [true, false]
    expect(await noticesTo(number)).toEqual(expected)
  })

  it('ends the next text after one that did not reach the phone', async ({ delivery }) => {
    const { site, db } = delivery
    const { memberId, number } = await createSmsRecipient(site)
    await delivery.sendSms(await delivery.publish('11-20-26-A'))
    await db.delivery.updateMany({ where: { memberId }, data: { state: 'bounced', reason: '30003 failed' } })
    await delivery.sendSms(await delivery.publish('11-20-26-B'))
    expect(await noticesTo(number)).toEqual([true, true])
  })

  it('is part of the price in the report, and leaves no title out that fits', async ({ delivery }) => {
    const { site, desk } = delivery
    await createSmsRecipient(site)
    const key = '11-20-26-A'
    // With the notice, the text just exceeds one segment.
    const title = 'a'.repeat(65)
    await delivery.sendSms(await delivery.publish(key, [title]))
    await createSmsRecipient(site)
    const next = '11-20-26-B'
    await delivery.sendSms(await delivery.publish(next, [title]))
    const textsOf = async (of: string) =>
      (await desk.call('GET', `/editions/${of}/delivery-report`)).json().data.texts
    expect(await textsOf(key)).toMatchObject({ texts: 1, segments: 2 })
    expect(await textsOf(next)).toMatchObject({ texts: 2, segments: 3 })
  })
})
