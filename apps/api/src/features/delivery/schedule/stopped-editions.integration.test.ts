import { describe, expect } from 'vitest'
import { draftEdition } from '#test/factories/editions.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { type DeliverySite, deliveryTest } from '#test/sites/delivery-site.ts'

const it = deliveryTest()
const slotTime = new Date('2026-11-21T04:00:00Z')
const latest = new Date('2026-11-21T05:00:00Z')
const [morning, evening] = ['11-20-26-A', '11-20-26-Z']
const report = '/digests/11-20-26/delivery-report'

async function order({ desk }: DeliverySite, subject: string, what: 'stop' | 'resume'): Promise<void> {
  expect((await desk.call('POST', `/${subject}/deliveries/${what}`)).statusCode).toBe(200)
}

/** Publishes a morning and an evening edition, whose digest is planned, with members of the digest. */
async function publishDay(delivery: DeliverySite, { at = slotTime, members = 1 } = {}) {
  for (let each = 0; each < members; each += 1)
    await createRecipient(delivery.site, { customFields: { combinestatus: true } })
  await delivery.publish(morning, ['Morning ships'])
  delivery.site.clock.moveTo(at)
  await delivery.publish(evening, ['Evening ships'])
  return await delivery.findDigest('2026-11-20')
}

const textsOf = ({ script }: DeliverySite) =>
  script.sent.map(({ text }) => ['Morning', 'Evening'].filter((word) => text.includes(`${word} ships`)))

describe('the digest of a day with a stopped edition', () => {
  it('waits for the last edition until the latest time, then goes without it', async ({ delivery }) => {
    const { site } = delivery
    const digest = await publishDay(delivery)
    await order(delivery, `editions/${evening}`, 'stop')
    await delivery.send(digest)
    await delivery.sweep()
    expect(textsOf(delivery)).toEqual([])
    expect(await delivery.findDigest('2026-11-20')).toMatchObject({ state: 'planned', sendAfter: latest })

    site.clock.moveTo(latest)
    await delivery.send(digest)
    expect(textsOf(delivery)).toEqual([['Morning']])
  })

  it('has the last edition once that is resumed', async ({ delivery }) => {
    const { site } = delivery
    const digest = await publishDay(delivery)
    await order(delivery, `editions/${evening}`, 'stop')
    site.clock.pass(180_000)
    await order(delivery, `editions/${evening}`, 'resume')

    await delivery.send(digest)
    expect(textsOf(delivery)).toEqual([['Morning', 'Evening']])
  })

  it('keeps waiting when a memo is added to another edition', async ({ delivery }) => {
    const digest = await publishDay(delivery)
    await order(delivery, `editions/${evening}`, 'stop')
    const body = { title: 'More', memo_content: '<p>News.</p>', private: false }
    expect((await delivery.desk.call('POST', `/editions/${morning}/memos`, { body })).statusCode).toBe(201)
    await delivery.send(digest)
    expect(await delivery.findDigest('2026-11-20')).toMatchObject({ state: 'planned', sendAfter: latest })
  })

  it('goes on time without an earlier edition, also in its preview', async ({ delivery }) => {
    const { desk } = delivery
    await publishDay(delivery)
    await order(delivery, `editions/${morning}`, 'stop')
    const preview = (await desk.call('GET', '/digests/11-20-26/preview/digest')).json().data
    expect(preview.text).not.toContain('Morning ships')
    await delivery.send(await delivery.findDigest('2026-11-20'))
    expect(textsOf(delivery)).toEqual([['Evening']])
  })

  it('that waits for its slot leaves the edition out, or has it if it was resumed', async ({ delivery }) => {
    const { site } = delivery
    const early = new Date(slotTime.getTime() - 3_600_000)
    await publishDay(delivery, { at: early })
    await order(delivery, `editions/${evening}`, 'stop')
    site.clock.moveTo(slotTime)
    await delivery.sweep()
    expect(await delivery.findDigest('2026-11-20')).toMatchObject({ plannedAt: null, sendAfter: latest })
    await order(delivery, `editions/${evening}`, 'resume')
    await delivery.send(await delivery.findDigest('2026-11-20'))
    expect(textsOf(delivery)).toEqual([['Morning', 'Evening']])
  })

  it('is held while it is sent, and goes on with the edition once both are resumed', async ({ delivery }) => {
    const { script, desk } = delivery
    const digest = await publishDay(delivery, { members: 8 })
    script.answer = async () => {
      if (script.sent.length === 0) await order(delivery, `editions/${evening}`, 'stop')
      script.answer = async () => ({ outcome: 'accepted' })
      return { outcome: 'accepted' }
    }
    await delivery.send(digest)
    const held = (await desk.call('GET', report)).json().data
    expect(held).toMatchObject({ state: 'held', heldReason: expect.stringContaining('was stopped') })
    const before = script.sent.length
    expect(before).toBeLessThan(8)

    await order(delivery, `editions/${evening}`, 'resume')
    await order(delivery, 'digests/11-20-26', 'resume')
    await delivery.send(digest)
    expect(textsOf(delivery)).toEqual(Array.from({ length: 8 }, () => ['Morning', 'Evening']))
    expect(new Set(script.sent.map(({ to }) => to)).size).toBe(8)
  })

  it('is held when there is no later time to wait for', async ({ delivery }) => {
    const digest = await publishDay(delivery, { at: new Date(latest.getTime() + 60_000) })
    await order(delivery, `editions/${evening}`, 'stop')
    await delivery.send(digest)
    expect(textsOf(delivery)).toEqual([])
    await order(delivery, 'digests/11-20-26', 'resume')
    await delivery.send(digest)
    expect(textsOf(delivery)).toEqual([['Morning']])
  })

  it('has nothing to send without another edition, and is sent once it is resumed', async ({ delivery }) => {
    const { site, desk } = delivery
    await createRecipient(site, { customFields: { combinestatus: true } })
    site.clock.moveTo(slotTime)
    await delivery.publish(evening, ['Evening ships'])
    await order(delivery, `editions/${evening}`, 'stop')
    site.clock.moveTo(latest)
    await delivery.send(await delivery.findDigest('2026-11-20'))
    await delivery.sweep()
    expect(textsOf(delivery)).toEqual([])
    const [waiting] = (await desk.call('GET', report)).json().data.waiting
    expect(waiting.message).toContain('withdrawn or stopped')

    await order(delivery, `editions/${evening}`, 'resume')
    await delivery.send(await delivery.findDigest('2026-11-20'))
    expect(textsOf(delivery)).toEqual([['Evening']])
  })

  it('leaves the edition out as well when `deliver: false` stopped it', async ({ delivery }) => {
    const { desk } = delivery
    const digest = await publishDay(delivery)
    const body = { deliver: false }
    expect((await desk.call('POST', `/editions/${morning}/publish`, { body })).statusCode).toBe(200)
    await delivery.send(digest)
    expect(textsOf(delivery)).toEqual([['Evening']])
  })

  it('is stopped and resumed at the same time as its edition without a deadlock', async ({ delivery }) => {
    const { site, desk } = delivery
    await publishDay(delivery)
    await draftEdition(site.context, '11-20-26-B', ['Noon'])
    const calls = await Promise.all([
      desk.call('POST', `/editions/${evening}/deliveries/stop`),
      desk.call('POST', `/editions/${morning}/deliveries/stop`),
      desk.call('POST', '/editions/11-20-26-B/publish'),
      desk.call('POST', `/editions/${evening}/memos`, { body: { title: 'Late', memo_content: '<p>x</p>' } }),
      desk.call('POST', '/digests/11-20-26/deliveries/stop'),
    ])
    expect(calls.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 201, 200])
    expect(await delivery.findDigest('2026-11-20')).toMatchObject({ state: 'stopped' })
  })
})
