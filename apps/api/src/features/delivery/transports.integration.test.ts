import { describe, expect } from 'vitest'
import { createRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'

const it = deliveryTest()
const key = '11-20-26-A'

describe('a delivery by a method of another transport', () => {
  it('is left to that transport, keeps the run open, and is listed in order with the others', async ({
    delivery,
  }) => {
    const { site, db, desk, send, script } = delivery
    const members = await Promise.all(Array.from({ length: 3 }, () => createRecipient(site)))
    const run = await delivery.publish(key)
    const runId = run?.id ?? 0
    const [, second] = await db.delivery.findMany({ where: { runId }, orderBy: { id: 'asc' } })
    await db.delivery.update({ where: { id: second?.id ?? '' }, data: { method: 'memo_sms' } })
    const list = async (state: string) =>
      (await desk.call('GET', `/editions/${key}/deliveries?state=${state}&limit=2`)).json()
    const planned = await list('planned')
    expect(planned.data).toMatchObject([{ method: 'memo-email' }, { id: second?.id, method: 'memo-sms' }])

    await send(run)
    await delivery.sweep()

    const emailed = members.filter(({ memberId }) => memberId !== second?.memberId)
    expect(script.sent.map(({ to }) => to).sort()).toEqual(emailed.map(({ email }) => email).sort())
    expect((await list('planned')).data).toMatchObject([{ id: second?.id }])
    expect(await delivery.runOf(key)).toMatchObject({ state: 'sending' })
  })
})
