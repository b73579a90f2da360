import { describe, expect } from 'vitest'
import { createRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'

const it = deliveryTest()
const chosen = { customFields: { combinestatus: true } }

describe('the digest', () => {
  it('is sent with the evening edition, with everything of the day, to members who chose it', async ({
    delivery,
  }) => {
    const { site, desk, send, script, findDigest } = delivery
    const { email } = await createRecipient(site, chosen)
    const memos = await createRecipient(site)
    await delivery.publish('11-20-26-A', ['Morning ships'])
    expect(await findDigest('2026-11-20')).toBeNull()
    site.clock.moveTo(new Date('2026-11-21T04:00:00Z'))
    const run = await delivery.publish('11-20-26-Z', ['Evening ships'])
    const digest = await findDigest('2026-11-20')

    await send(digest)
    await send(run)

    expect(script.sent.map(({ to }) => to)).toEqual([email, memos.email])
    expect(script.sent[0]?.text).toMatch(/Morning ships.*Evening ships/s)
    const list = await desk.call('GET', '/digests/11-20-26/deliveries')
    expect(list.json().data).toMatchObject([{ digest: '11-20-26', edition: null, state: 'sent' }])
  })

  it('is sent at the latest time with what the day has', async ({ delivery }) => {
    const { site, sweep, send, script, findDigest } = delivery
    const { email } = await createRecipient(site, chosen)
    await delivery.publish('11-20-26-A', ['Morning ships'])
    site.clock.moveTo(new Date('2026-11-21T04:59:00Z'))
    await sweep()
    expect(await findDigest('2026-11-20')).toBeNull()

    site.clock.moveTo(new Date('2026-11-21T05:00:00Z'))
    await sweep()
    await send(await findDigest('2026-11-20'))
    await sweep()

    expect(script.sent.map(({ to }) => to)).toEqual([email])
    expect(await delivery.publish('11-20-26-Z')).not.toBeNull()
    await send(await findDigest('2026-11-20'))
    expect(script.sent).toHaveLength(1)
  })

  it('is not planned for a day without editions, and held when it is too late', async ({ delivery }) => {
    const { site, sweep, findDigest } = delivery
    site.clock.moveTo(new Date('2026-11-21T05:00:00Z'))
    await sweep()
    expect(await findDigest('2026-11-20')).toBeNull()

    site.clock.moveTo(new Date('2026-11-20T17:00:00Z'))
    await delivery.publish('11-20-26-A')
    site.clock.moveTo(new Date('2026-11-21T15:00:00Z'))
    await sweep()
    expect(await findDigest('2026-11-20')).toMatchObject({ state: 'held' })
  })

  it.for([
    ['the clocks go forward', '03-14-27-A', '2027-03-14', '2027-03-15T04:00:00Z'],
    ['the clocks go back', '11-07-27-A', '2027-11-07', '2027-11-08T05:00:00Z'],
  ] as const)(
    'is due at its local time on the day on which %s',
    async ([_name, key, date, due], { delivery }) => {
      const { site, sweep, findDigest } = delivery
      site.clock.moveTo(new Date(`${date}T18:00:00Z`))
      await delivery.publish(key)

      site.clock.moveTo(new Date(Date.parse(due) - 1))
      await sweep()
      expect(await findDigest(date)).toBeNull()
      site.clock.moveTo(new Date(due))
      await sweep()
      expect(await findDigest(date)).toMatchObject({ state: 'planned' })
    },
  )

  it('of any day is sent by a command, once', async ({ delivery }) => {
    const { site, script, send, findDigest } = delivery
    const { planDigest } = site.context.deliveryOperations
    await createRecipient(site, chosen)
    await delivery.publish('11-18-26-A', ['Old ships'])
    const day = { year: 2026, month: 11, day: 18 }

    expect(await planDigest({ ...day, day: 17 })).toBe('empty')
    expect(await planDigest(day)).toBe('planned')
    expect(await planDigest(day)).toBe('exists')

    await send(await findDigest('2026-11-18'))
    expect(script.sent).toHaveLength(1)
  })
})
