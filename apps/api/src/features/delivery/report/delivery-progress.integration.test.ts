import { describe, expect } from 'vitest'
import { createRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { connectDesk } from '#test/sockets/desk-socket.ts'
import { waitOptions } from '#test/wait-options.ts'

const it = deliveryTest({ listening: true })
const key = '11-20-26-A'

describe('the progress of a delivery', () => {
  it('reaches open desks as counts by method, without addresses', async ({ delivery }) => {
    const { site, send, script } = delivery
    const members = await Promise.all(Array.from({ length: 3 }, () => createRecipient(site)))
    script.answer = async ({ to }) =>
      to === members[0]?.email
        ? { outcome: 'permanent', code: '550', response: 'no' }
        : { outcome: 'accepted' }
    const desk = await connectDesk(await site.listen(), { authorization: site.editor })
    const last = () => desk.of('delivery').at(-1)

    const run = await delivery.publish(key)
    await expect.poll(last, waitOptions).toEqual({
      type: 'delivery',
      edition: key,
      digest: null,
      state: 'planned',
      sendAfter: '2026-11-20T17:01:00.000Z',
      counts: [{ method: 'memo-email', state: 'planned', count: 3 }],
    })
    await send(run)

    await expect.poll(last, waitOptions).toMatchObject({
      state: 'done',
      counts: [
        { method: 'memo-email', state: 'failed', count: 1 },
        { method: 'memo-email', state: 'sent', count: 2 },
      ],
    })
    expect(desk.of('delivery').length).toBeLessThan(6)
    expect(JSON.stringify(desk.frames)).not.toContain('@')
  })

  it('says that it was stopped and resumed', async ({ delivery }) => {
    const { site, desk: calls } = delivery
    await createRecipient(site)
    const desk = await connectDesk(await site.listen(), { authorization: site.editor })
    const state = () => desk.of('delivery').at(-1)?.state
    await delivery.publish(key)
    await expect.poll(state, waitOptions).toBe('planned')

    await calls.call('POST', `/editions/${key}/deliveries/stop`)
    await expect.poll(state, waitOptions).toBe('stopped')
    await calls.call('POST', `/editions/${key}/deliveries/resume`)

    await expect.poll(state, waitOptions).toBe('planned')
  })
})
