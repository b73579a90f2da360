import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newest, pagesOf, type StripeStore, startStripeStore } from '#test/payments/stripe-store.ts'

let store: StripeStore
beforeAll(async () => {
  store = await startStripeStore()
})
afterAll(() => store.stop())

/** Creates a subscriber with a disputed payment. */
async function dispute(status: string) {
  const customerId = await store.join()
  const { id: subscriptionId } = await store.subscribe(customerId, store.monthly)
  const { data: charges } = await store.stripe.charges.list({ customer: customerId })
  const { id } = await store.controls.openDispute(charges[0]?.id ?? '', { status })
  return { id, customerId, subscriptionId, paymentId: String(charges[0]?.payment_intent) }
}

async function isListed({ id }: { id: string }): Promise<boolean> {
  const pages = await pagesOf(store.gateway.listDisputes())
  return pages.flat().some((one) => one.id === id)
}

describe('a payment dispute', () => {
  it.each(['needs_response', 'under_review', 'lost', 'appeal_pending', 'appeal_lost', 'brand_new'])(
    'with status %s is returned with its invoice',
    async (status) => {
      const { id, customerId, paymentId, subscriptionId } = await dispute(status)
      expect(await store.gateway.findDisputed(id)).toEqual({ customerId, paymentId })
      expect(await store.gateway.findPaidInvoice(paymentId)).toMatchObject({ subscriptionId })
      expect(await isListed({ id })).toBe(true)
    },
  )

  it.each(['won', 'prevented', 'warning_needs_response', 'warning_under_review', 'warning_closed'])(
    'with status %s is ignored',
    async (status) => {
      const { id } = await dispute(status)
      expect(await store.gateway.findDisputed(id)).toBeNull()
      expect(await isListed({ id })).toBe(false)
    },
  )

  it('that is unknown returns null, as does an unknown payment', async () => {
    expect(await store.gateway.findDisputed('dp_unknown')).toBeNull()
    expect(await store.gateway.findPaidInvoice('pi_unknown')).toBeNull()
  })

  it('leaves nothing to refund and is the reason of the cancellation', async () => {
    const { customerId, paymentId } = await dispute('needs_response')
    const subscription = await newest(store.gateway, customerId)
    const order = {
      paymentId,
      invoiceId: 'in_1',
      reason: 'paid-twice',
      appId: 'app_1',
      memberId: null,
    } as const
    expect(await store.gateway.refund(order)).toBeNull()
    await store.gateway.cancelSubscription(subscription.id, 'payment_disputed')
    await store.gateway.cancelSubscription(subscription.id)
    expect(await newest(store.gateway, customerId)).toMatchObject({ cancelReason: 'payment_disputed' })
  })
})
