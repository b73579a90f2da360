import { describe, expect, vi } from 'vitest'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import { newest, type StripeStore, storeSales, storeTest, useCard } from '#test/payments/stripe-store.ts'
import { waitOptions } from '#test/wait-options.ts'

const minute = 1 / (24 * 60)

/** A store with a subscriber whose renewal of a minute ago is still a draft. */
const it = storeTest()
  .extend('credit', () => 0)
  .extend('subscription', async ({ ownStore: store, credit }) => {
    const customerId = await store.join()
    await store.subscribe(customerId, store.monthly)
    await store.stripe.customers.update(customerId, { balance: -credit })
    await store.pass(30 + minute)
    return await newest(store.gateway, customerId)
  })
  .extend('draftId', ({ subscription }) => subscription.latestInvoice?.id ?? '')

const coveredTest = it.extend('credit', () => 1_000)
const pastDueTest = it.extend('options', { scope: 'file' }, { afterLastRetry: 'past_due' })

/** Ends a subscription as a person in the dashboard does, and returns its end. */
async function endAtStripe({ stripe, gateway }: StripeStore, { id, customerId }: Subscription) {
  await stripe.subscriptions.cancel(id)
  const { endedAt } = await newest(gateway, customerId)
  if (endedAt === null) throw new Error('The subscription runs.')
  return { id, endedAt }
}

async function chargesOf({ stripe }: StripeStore, customer: string) {
  return (await stripe.charges.list({ customer })).data.map(({ amount }) => amount)
}

async function balanceOf({ stripe }: StripeStore, customer: string) {
  const found = await stripe.customers.retrieve(customer)
  return found.deleted ? null : found.balance
}

const endings = {
  cancelSubscription: ({ gateway }: StripeStore, { id }: Subscription) => gateway.cancelSubscription(id),
  'cancelSubscription for a dispute': ({ gateway }: StripeStore, { id }: Subscription) =>
    gateway.cancelSubscription(id, 'payment_disputed'),
  cancelAll: async ({ gateway, clock }: StripeStore, { customerId }: Subscription) => {
    const closed = await gateway.cancelAll(customerId, storeSales, clock.now())
    expect(closed).toEqual({ paid: [], shared: [], isSettled: true })
  },
  settleEnded: async (store: StripeStore, subscription: Subscription) => {
    const settled = await store.gateway.settleEnded(await endAtStripe(store, subscription))
    expect(settled).toEqual({ paidAfterEnd: [], isSettled: true })
  },
}

describe('the draft of a renewal', () => {
  it.for(Object.entries(endings))(
    'is voided and never charged: %s',
    async ([_name, end], { ownStore: store, subscription, draftId }) => {
      expect((await store.stripe.invoices.retrieve(draftId)).status).toBe('draft')
      await end(store, subscription)
      await end(store, subscription).catch(() => undefined)
      expect((await store.stripe.invoices.retrieve(draftId)).status).toBe('void')
      await store.pass(2)
      expect(await chargesOf(store, subscription.customerId)).toEqual([499])
    },
  )

  it('is not charged after a crash, and voided by the next attempt', async ({
    ownStore: store,
    subscription,
    draftId,
  }) => {
    const ended = await endAtStripe(store, subscription)
    await store.controls.addFault({
      kind: 'server-error',
      match: `POST /v1/invoices/${draftId}/finalize`,
      times: 3,
    })
    await expect(store.gateway.settleEnded(ended)).rejects.toThrow()
    await store.pass(1)
    expect((await store.stripe.invoices.retrieve(draftId)).status).toBe('draft')
    expect(await store.gateway.settleEnded(ended)).toEqual({ paidAfterEnd: [], isSettled: true })
    expect((await store.stripe.invoices.retrieve(draftId)).status).toBe('void')
  })

  it('counts as paid after the end if it is charged while it is closed', async ({
    ownStore: store,
    subscription,
    draftId,
  }) => {
    const ended = await endAtStripe(store, subscription)
    await store.controls.addFault({ kind: 'slow', match: `POST /v1/invoices/${draftId}` })
    const closing = store.gateway.settleEnded(ended)
    await vi.waitFor(async () => expect(await store.controls.countFaults()).toBe(0), waitOptions)
    await store.controls.advanceTime(3_600)
    await store.controls.releaseCalls()
    expect(await closing).toEqual({ paidAfterEnd: [draftId], isSettled: true })
    expect(await chargesOf(store, subscription.customerId)).toEqual([499, 499])
  })

  it('is not settled while its payment is processing', async ({ ownStore: store, subscription, draftId }) => {
    const ended = await endAtStripe(store, subscription)
    await store.stripe.invoices.finalizeInvoice(draftId)
    await store.controls.debitInvoice(draftId, 'processing')
    expect(await store.gateway.settleEnded(ended)).toEqual({ paidAfterEnd: [], isSettled: false })
    await store.controls.debitInvoice(draftId, 'succeeded')
    expect(await store.gateway.settleEnded(ended)).toEqual({ paidAfterEnd: [draftId], isSettled: true })
  })

  it('is closed once by concurrent calls', async ({ ownStore: store, subscription, draftId }) => {
    const ended = await endAtStripe(store, subscription)
    const closing = [1, 2, 3].map(() => store.gateway.settleEnded(ended))
    expect(await Promise.all(closing)).toEqual(closing.map(() => ({ paidAfterEnd: [], isSettled: true })))
    expect((await store.stripe.invoices.retrieve(draftId)).status).toBe('void')
    const { data: voided } = await store.stripe.events.list({ type: 'invoice.voided' })
    expect(voided).toHaveLength(1)
  })

  it('of zero is paid with nothing', async ({ ownStore: store, subscription }) => {
    const { id: coupon } = await store.stripe.coupons.create({ percent_off: 100, duration: 'forever' })
    await store.stripe.subscriptions.update(subscription.id, { discounts: [{ coupon }] })
    await store.pass(31)
    const { latestInvoice } = await newest(store.gateway, subscription.customerId)
    const free = await store.stripe.invoices.retrieve(latestInvoice?.id ?? '')
    expect(free).toMatchObject({ status: 'draft', total: 0 })
    const settled = await store.gateway.settleEnded(await endAtStripe(store, subscription))
    expect(settled).toEqual({ paidAfterEnd: [], isSettled: true })
    expect((await store.stripe.invoices.retrieve(free.id)).status).toBe('paid')
    expect(await chargesOf(store, subscription.customerId)).toEqual([499, 499])
  })
})

describe('credit that covers the draft of an ended subscription', () => {
  coveredTest('is returned once', async ({ ownStore: store, subscription }) => {
    const ended = await endAtStripe(store, subscription)
    expect(await balanceOf(store, subscription.customerId)).toBe(-1_000)
    expect(await store.gateway.settleEnded(ended)).toEqual({ paidAfterEnd: [], isSettled: true })
    expect(await balanceOf(store, subscription.customerId)).toBe(-1_000)
    // The idempotency key has expired at Stripe by then.
    await store.pass(2)
    await store.gateway.settleEnded(ended)
    expect(await balanceOf(store, subscription.customerId)).toBe(-1_000)
  })

  coveredTest('is returned once by concurrent calls', async ({ ownStore: store, subscription }) => {
    const ended = await endAtStripe(store, subscription)
    await Promise.all([1, 2, 3].map(() => store.gateway.settleEnded(ended)))
    expect(await balanceOf(store, subscription.customerId)).toBe(-1_000)
    expect((await store.gateway.settleEnded(ended)).isSettled).toBe(true)
  })

  coveredTest(
    'is returned later if the key may not write credit notes yet',
    async ({ ownStore: store, subscription }) => {
      const ended = await endAtStripe(store, subscription)
      await store.controls.addFault({ kind: 'forbidden', match: 'POST /v1/credit_notes' })
      expect((await store.gateway.settleEnded(ended)).isSettled).toBe(false)
      expect(await balanceOf(store, subscription.customerId)).toBe(-501)
      expect((await store.gateway.settleEnded(ended)).isSettled).toBe(true)
      expect(await balanceOf(store, subscription.customerId)).toBe(-1_000)
    },
  )
})

pastDueTest(
  'a past-due subscription shows its open invoice, not the draft of the next period',
  async ({ ownStore: store, subscription, draftId }) => {
    await useCard(store, subscription, 'pm_card_chargeCustomerFail')
    await store.pass(31)
    const [next] = (await store.stripe.invoices.list({ customer: subscription.customerId })).data
    expect(next?.status).toBe('draft')
    const owing = await newest(store.gateway, subscription.customerId)
    expect(owing).toMatchObject({ status: 'past_due', latestInvoice: { id: draftId, isPaid: false } })
    expect(owing.latestInvoice?.url).not.toBeNull()
  },
)
