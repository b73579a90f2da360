import { describe, expect } from 'vitest'
import { newest, pagesOf, type StripeStore, storeTest } from '#test/payments/stripe-store.ts'

const it = storeTest()
  /** Creates a subscriber with a disputed payment. */
  .extend('dispute', { scope: 'file' }, ({ store }) => async (status: string) => {
    const customerId = await store.join()
    const { id: subscriptionId } = await store.subscribe(customerId, store.monthly)
    const { data: charges } = await store.stripe.charges.list({ customer: customerId })
    const { id } = await store.controls.openDispute(charges[0]?.id ?? '', { status })
    return { id, customerId, subscriptionId, paymentId: String(charges[0]?.payment_intent) }
  })

async function isListed({ gateway }: StripeStore, { id }: { id: string }): Promise<boolean> {
  const pages = await pagesOf(gateway.listDisputes())
  return pages.flat().some((one) => one.id === id)
}

describe('a payment dispute', () => {
  it.for(['needs_response', 'under_review', 'lost', 'appeal_pending', 'appeal_lost', 'brand_new'])(
    'with status %s is returned with its invoice',
    async (status, { store, dispute }) => {
      const { id, customerId, paymentId, subscriptionId } = await dispute(status)
      expect(await store.gateway.findDisputed(id)).toEqual({ customerId, paymentId })
      expect(await store.gateway.findPaidInvoice(paymentId)).toMatchObject({ subscriptionId })
      expect(await isListed(store, { id })).toBe(true)
    },
  )

  it.for(['won', 'prevented', 'warning_needs_response', 'warning_under_review', 'warning_closed'])(
    'with status %s is ignored',
    async (status, { store, dispute }) => {
      const { id } = await dispute(status)
      expect(await store.gateway.findDisputed(id)).toBeNull()
      expect(await isListed(store, { id })).toBe(false)
    },
  )

  it('that is unknown returns null, as does an unknown payment', async ({ store }) => {
    expect(await store.gateway.findDisputed('dp_unknown')).toBeNull()
    expect(await store.gateway.findPaidInvoice('pi_unknown')).toBeNull()
  })

  it('is the reason of the cancellation', async ({ store, dispute }) => {
    const { customerId, subscriptionId } = await dispute('needs_response')
    await store.gateway.cancelSubscription(subscriptionId, 'payment_disputed')
    await store.gateway.cancelSubscription(subscriptionId)
    expect(await newest(store.gateway, customerId)).toMatchObject({ cancelReason: 'payment_disputed' })
  })
})
