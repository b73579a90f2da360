import { afterAll, describe, expect, test } from 'vitest'
import { clockStart, daySeconds, openBilling } from '../../testing/billing.ts'
import { refusal } from '../../testing/start-emulator.ts'

const { halfway, prices, stop, stripe } = await openBilling()

afterAll(stop)

describe('DELETE /v1/subscriptions/:id', () => {
  test('ends it at once, and a second time finds nothing', async () => {
    const { id } = await halfway()
    const canceled = await stripe.subscriptions.cancel(id, { cancellation_details: { comment: 'moved' } })
    expect(canceled.status).toBe('canceled')
    expect(canceled.ended_at).toBe(clockStart + 14 * daySeconds)
    expect(canceled.cancellation_details).toMatchObject({
      comment: 'moved',
      reason: 'cancellation_requested',
    })
    const error = await refusal(stripe.subscriptions.cancel(id))
    expect(error.statusCode).toBe(404)
    expect(error.code).toBe('resource_missing')
  })

  test('one that has ended cannot be changed', async () => {
    const { id, itemId } = await halfway()
    await stripe.subscriptions.cancel(id)
    const error = await refusal(
      stripe.subscriptions.update(id, { items: [{ id: itemId, price: prices.dearer.id }] }),
    )
    expect(error.statusCode).toBe(400)
  })
})
