import { describe, expect } from 'vitest'
import { draftEdition } from '#test/factories/editions.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'

const it = deliveryTest()
const chosen = { customFields: { combinestatus: true } }
const slotTime = new Date('2026-11-21T04:00:00Z')
const latest = new Date('2026-11-21T05:00:00Z')
const report = '/digests/11-20-26/delivery-report'

describe('an evening edition that is published early', () => {
  it('sends its digest at the slot’s time, with every edition of the day', async ({ delivery }) => {
    const { site, desk, script, sweep, send, findDigest, stateOf } = delivery
    const before = await createRecipient(site, chosen)
    await delivery.publish('11-20-26-Z', ['Evening ships'])
    const after = await createRecipient(site, chosen)
    await delivery.publish('11-20-26-A', ['Morning ships'])

    const waiting = (await desk.call('GET', report)).json().data
    expect(waiting).toMatchObject({ state: 'planned', plannedAt: null, sendAfter: slotTime.toISOString() })
    site.clock.moveTo(new Date(slotTime.getTime() - 1))
    await sweep()
    await send(await findDigest('2026-11-20'))
    expect(script.sent).toEqual([])

    site.clock.moveTo(slotTime)
    await sweep()
    const digest = await findDigest('2026-11-20')
    await site.context.sending.send(digest?.id ?? 0)
    await sweep()

    // In the order of the members' ids, which are random.
    expect(script.sent.map(({ to }) => to).sort()).toEqual([before.email, after.email].sort())
    expect(script.sent[0]?.text).toMatch(/Morning ships.*Evening ships/s)
    expect(await stateOf(digest, after.memberId)).toBe('sent')
    expect((await desk.call('GET', report)).json().data).toMatchObject({ state: 'done' })
  })

  it('the day before sends nothing until its own day’s slot', async ({ delivery }) => {
    const { site, script, sweep, findDigest } = delivery
    await createRecipient(site, chosen)
    await delivery.publish('11-21-26-Z', ['Tomorrow'])
    await delivery.publish('11-20-26-A', ['Today'])
    expect(await findDigest('2026-11-21')).toMatchObject({ plannedAt: null })
    site.clock.moveTo(latest)
    await sweep()
    await delivery.send(await findDigest('2026-11-20'))
    expect(script.sent.map(({ text }) => /Tomorrow|Today/.exec(text)?.[0])).toEqual(['Today'])

    site.clock.moveTo(new Date('2026-11-22T04:00:00Z'))
    await sweep()
    await delivery.send(await findDigest('2026-11-21'))
    expect(script.sent.map(({ text }) => /Tomorrow|Today/.exec(text)?.[0])).toEqual(['Today', 'Tomorrow'])
  })

  it('and withdrawn has the digest wait for the latest time, and for it once it is back', async ({
    delivery,
  }) => {
    const { site, script, sweep, findDigest } = delivery
    await createRecipient(site, chosen)
    await delivery.publish('11-20-26-A', ['Morning ships'])
    await delivery.publish('11-20-26-Z', ['Evening ships'])
    await delivery.withdraw('11-20-26-Z')
    site.clock.moveTo(slotTime)
    await sweep()
    expect(await findDigest('2026-11-20')).toMatchObject({ plannedAt: null, sendAfter: latest })

    site.clock.moveTo(new Date('2026-11-21T04:40:00Z'))
    await delivery.publishDraft('11-20-26-Z')
    await sweep()
    await delivery.send(await findDigest('2026-11-20'))
    await sweep()

    expect(script.sent).toHaveLength(1)
    expect(script.sent[0]?.text).toMatch(/Morning ships.*Evening ships/s)
  })

  it('and then withdrawn sends the rest of the day at the latest time', async ({ delivery }) => {
    const { site, script, sweep, findDigest } = delivery
    await createRecipient(site, chosen)
    await delivery.publish('11-20-26-A', ['Morning ships'])
    await delivery.publish('11-20-26-Z', ['Evening ships'])
    await delivery.withdraw('11-20-26-Z')
    for (const time of [slotTime, latest]) {
      site.clock.moveTo(time)
      await sweep()
    }
    await delivery.send(await findDigest('2026-11-20'))
    expect(script.sent).toHaveLength(1)
    expect(script.sent[0]?.text).not.toContain('Evening ships')
  })

  it('leaves no digest when all of the day is withdrawn', async ({ delivery }) => {
    const { site, desk, sweep, findDigest } = delivery
    await delivery.publish('11-20-26-Z')
    await delivery.withdraw('11-20-26-Z')
    site.clock.moveTo(latest)
    await sweep()
    expect(await findDigest('2026-11-20')).toBeNull()
    expect((await desk.call('GET', report)).json().data).toMatchObject({ state: 'none', sendAfter: null })
  })

  it('has its corrections and later memos in the digest, each with its delay', async ({ delivery }) => {
    const { site, desk, script, sweep, findDigest } = delivery
    await createRecipient(site, chosen)
    await draftEdition(site.context, '11-20-26-Z', [])
    await delivery.publishDraft('11-20-26-Z')
    expect(await findDigest('2026-11-20')).toBeNull()
    const add = async (title: string) => {
      const body = { title, memo_content: '<p>News.</p>' }
      expect((await desk.call('POST', '/editions/11-20-26-Z/memos', { body })).statusCode).toBe(201)
    }
    await add('Frist')
    site.clock.moveTo(new Date(slotTime.getTime() - 20_000))
    await add('Second')
    const [memo] = (await desk.read('11-20-26-Z')).memos
    const change = { body: { title: 'First' }, ifMatch: `"${memo?.version}"` }
    expect((await desk.call('PATCH', `/memos/${memo?.id}`, change)).statusCode).toBe(200)

    site.clock.moveTo(slotTime)
    await sweep()
    const digest = await findDigest('2026-11-20')
    await site.context.sending.send(digest?.id ?? 0)
    expect(script.sent).toEqual([])
    site.clock.pass(40_000)
    await site.context.sending.send(digest?.id ?? 0)

    expect(script.sent).toHaveLength(1)
    expect(script.sent[0]?.text).toMatch(/First.*Second/s)
  })

  it('and not delivered leaves the digest to the latest time', async ({ delivery }) => {
    const { site, sweep, findDigest } = delivery
    await delivery.publish('11-20-26-A')
    await delivery.publish('11-20-26-Z', ['Evening'], { deliver: false })
    expect(await findDigest('2026-11-20')).toBeNull()
    site.clock.moveTo(slotTime)
    await sweep()
    expect(await findDigest('2026-11-20')).toBeNull()
    site.clock.moveTo(latest)
    await sweep()
    expect(await findDigest('2026-11-20')).toMatchObject({ state: 'planned', plannedAt: latest })
  })

  it('lets an editor stop the waiting digest, and resume it before or after its time', async ({
    delivery,
  }) => {
    const { site, desk, script, sweep, findDigest } = delivery
    await createRecipient(site, chosen)
    await delivery.publish('11-20-26-Z')
    const order = async (what: string) =>
      (await desk.call('POST', `/digests/11-20-26/deliveries/${what}`)).statusCode
    expect([await order('stop'), await order('resume')]).toEqual([200, 200])
    await sweep()
    expect(await findDigest('2026-11-20')).toMatchObject({ plannedAt: null, sendAfter: slotTime })

    expect(await order('stop')).toBe(200)
    site.clock.moveTo(new Date('2026-11-23T12:00:00Z'))
    await sweep()
    expect(script.sent).toEqual([])
    expect(await order('resume')).toBe(200)
    await sweep()
    await delivery.send(await findDigest('2026-11-20'))
    expect(script.sent).toHaveLength(1)
  })

  it('is held when the site comes back too late, also days later', async ({ delivery }) => {
    const { site, sweep, findDigest } = delivery
    await delivery.publish('11-20-26-Z')
    site.clock.moveTo(new Date('2026-11-24T04:00:00Z'))
    await sweep()
    expect(await findDigest('2026-11-20')).toMatchObject({ state: 'held' })
  })

  it.for([
    ['the clocks go forward', '03-14-27-Z', '2027-03-14', '2027-03-15T03:00:00Z'],
    ['the clocks go back', '11-07-27-Z', '2027-11-07', '2027-11-08T04:00:00Z'],
  ] as const)(
    'waits for its local time on the day on which %s',
    async ([_name, key, date, due], { delivery }) => {
      const { site, sweep, findDigest } = delivery
      site.clock.moveTo(new Date(`${date}T09:30:00Z`))
      await delivery.publish(key)
      site.clock.moveTo(new Date(Date.parse(due) - 1))
      await sweep()
      expect(await findDigest(date)).toMatchObject({ plannedAt: null })
      site.clock.moveTo(new Date(due))
      await sweep()
      expect(await findDigest(date)).toMatchObject({ plannedAt: new Date(due) })
    },
  )

  it('is sent by the command at once, and only once', async ({ delivery }) => {
    const { site, script, sweep, findDigest } = delivery
    await createRecipient(site, chosen)
    await delivery.publish('11-20-26-Z')
    const day = { year: 2026, month: 11, day: 20 }
    expect(await site.context.deliveryOperations.planDigest(day)).toBe('planned')
    await delivery.send(await findDigest('2026-11-20'))
    site.clock.moveTo(slotTime)
    await sweep()
    await delivery.send(await findDigest('2026-11-20'))
    expect(script.sent).toHaveLength(1)
  })
})

describe('an evening edition after its slot', () => {
  it('of the day before leaves its digest to an editor', async ({ delivery }) => {
    const { site, sweep, findDigest } = delivery
    site.clock.moveTo(new Date('2026-11-21T09:00:00Z'))
    await delivery.publish('11-20-26-Z', ['Evening'], { deliver: true })
    expect(await findDigest('2026-11-20')).toBeNull()
    await sweep()
    expect(await findDigest('2026-11-20')).toMatchObject({ state: 'held' })
  })

  it('and after the latest time sends its digest at once, unless there was one', async ({ delivery }) => {
    const { site, script, sweep, findDigest } = delivery
    await createRecipient(site, chosen)
    site.clock.moveTo(new Date('2026-11-21T06:00:00Z'))
    await delivery.publish('11-20-26-Z')
    await sweep()
    await delivery.send(await findDigest('2026-11-20'))
    expect(script.sent).toHaveLength(1)
  })

  it('sends its digest at once', async ({ delivery }) => {
    const { site, script, findDigest } = delivery
    await createRecipient(site, chosen)
    site.clock.moveTo(slotTime)
    await delivery.publish('11-20-26-Z')
    await delivery.send(await findDigest('2026-11-20'))
    expect(script.sent).toHaveLength(1)
  })
})
