import { type DeliveryProgress, deliveryProgress } from '@tidings/contracts/delivery/deliveries'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { type DeliverySite, deliveryTest } from '#test/sites/delivery-site.ts'

const it = deliveryTest()
const key = '11-20-26-A'

async function progress({ desk }: DeliverySite): Promise<DeliveryProgress[]> {
  const reply = await desk.call('GET', '/deliveries/progress')
  return deliveryProgress.array().parse(reply.json().data)
}

describe('the progress of deliveries', () => {
  it('begins with the minute in which nothing is sent yet, and in which it can be stopped', async ({
    delivery,
  }) => {
    const { desk, site, script } = delivery
    for (let each = 0; each < 3; each += 1) await createRecipient(site)
    await createRecipient(site, { verified: false })
    const run = await delivery.publish(key)
    const sendAfter = new Date(site.clock.now().getTime() + 60_000).toISOString()
    const waiting = { method: 'memo-email', all: 4, sent: 0, waiting: 3, unconfirmed: 0, notDelivered: 1 }
    expect(await progress(delivery)).toMatchObject([
      { edition: key, digest: null, state: 'planned', sendAfter, members: 3, methods: [waiting] },
    ])

    site.clock.pass(59_000)
    expect((await desk.call('POST', `/editions/${key}/deliveries/stop`)).statusCode).toBe(200)
    await delivery.send(run)
    await delivery.sweep()
    await delivery.send(run)
    expect(script.sent).toEqual([])
    expect(await progress(delivery)).toMatchObject([{ state: 'stopped', methods: [waiting] }])

    site.clock.pass(3_600_000)
    await desk.call('POST', `/editions/${key}/deliveries/resume`)
    await delivery.send(run)
    expect(script.sent).toHaveLength(3)
    expect(await progress(delivery)).toMatchObject([
      { edition: key, state: 'done', members: null, methods: [{ ...waiting, sent: 3, waiting: 0 }] },
    ])
    site.clock.pass(601_000)
    expect(await progress(delivery)).toEqual([])
  })

  it('says that an edition is withdrawn, and names digests', async ({ delivery }) => {
    const { site } = delivery
    await createRecipient(site)
    await createRecipient(site, { customFields: { combinestatus: true } })
    await delivery.publish(key)
    await delivery.withdraw(key)
    site.clock.moveTo(new Date('2026-11-21T04:30:00.000Z'))
    await delivery.publish('11-20-26-Z', ['Late'])
    await delivery.sweep()
    const runs = (await progress(delivery)).map(({ edition, digest, state }) => [edition ?? digest, state])
    expect(runs).toContainEqual([key, 'withdrawn'])
    expect(runs).toContainEqual(['11-20-26', 'planned'])
  })

  it('needs the scope read', async ({ delivery: { desk } }) => {
    const { as } = await desk.keyWith('write')
    expect(refusalOf(await desk.call('GET', '/deliveries/progress', { as })).code).toBe('scope-missing')
  })
})
