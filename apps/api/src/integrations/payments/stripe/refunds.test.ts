import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newest, type StripeShop, startStripeShop } from '../../../../test/stripe-shop.ts'
import type { Subscription } from '../payment-gateway.ts'

let shop: StripeShop
beforeEach(async () => {
  shop = await startStripeShop()
})
afterEach(() => shop.stop())

describe('a refund', () => {
  it('gives back what the latest invoice was paid with, once', async () => {
    const { gateway, stripe, monthly } = shop
    const customerId = await shop.join()
    const subscription = await shop.subscribe(customerId, monthly)
    expect(await gateway.refundLatestInvoice(subscription)).toBe(true)
    expect(await gateway.refundLatestInvoice(subscription)).toBe(true)
    const { data: charges } = await stripe.charges.list({ customer: customerId })
    expect(charges.map(({ amount_refunded: refunded }) => refunded)).toEqual([499])
  })

  it('of what somebody at the desk gave back already is done', async () => {
    const { gateway, stripe, monthly } = shop
    const customerId = await shop.join()
    const subscription = await shop.subscribe(customerId, monthly)
    const { data: charges } = await stripe.charges.list({ customer: customerId })
    await stripe.refunds.create({ charge: charges[0]?.id ?? '' })
    expect(await gateway.refundLatestInvoice(subscription)).toBe(true)
  })

  it('gives nothing back where nothing was paid', async () => {
    const { gateway, stripe, monthly } = shop
    const customerId = await shop.join()
    const trial = await stripe.subscriptions.create({
      customer: customerId,
      items: [{ price: monthly.id }],
      trial_period_days: 7,
    })
    expect(await gateway.refundLatestInvoice(await newest(gateway, customerId))).toBe(false)
    const { data: refunds } = await stripe.refunds.list()
    expect(refunds.filter(({ metadata }) => metadata?.subscription === trial.id)).toEqual([])
    expect((await stripe.charges.list({ customer: customerId })).data).toEqual([])
  })
})

describe('what was paid since a dispute', () => {
  const subscribe = async () => shop.subscribe(await shop.join(), shop.monthly)

  /** What was charged, the oldest first. */
  async function chargesOf({ customerId }: Subscription) {
    const charges = await shop.stripe.charges
      .list({ customer: customerId, limit: 100 })
      .autoPagingToArray({ limit: 1_000 })
    return charges.filter(({ paid }) => paid).reverse()
  }

  /** How much of each charge came back, the oldest first. */
  async function refundedOf(subscription: Subscription): Promise<number[]> {
    return (await chargesOf(subscription)).map(({ amount_refunded: refunded }) => refunded)
  }

  /** How much is back in all, once what can come back of what its customer paid is. */
  async function backOf({ customerId }: Subscription) {
    return (await shop.gateway.refundSinceDisputed(customerId)).back
  }

  /** The bank takes the newest payment back. */
  async function disputeNewest(subscription: Subscription) {
    const charge = (await chargesOf(subscription)).at(-1)
    return shop.controls.openDispute(charge?.id ?? '')
  }

  it.each([
    ['is open', async () => {}],
    ['was lost', async (disputeId: string) => void (await shop.controls.closeDispute(disputeId, 'lost'))],
  ])('comes back of one that %s, not what is disputed', async (_how, decide) => {
    const subscription = await subscribe()
    const { id } = await disputeNewest(subscription)
    await shop.pass(31)
    await decide(id)
    expect(await backOf(subscription)).toEqual({ amount: 499, currency: 'usd' })
    expect(await refundedOf(subscription)).toEqual([0, 499])
  })

  it('comes back of every renewal, and nothing from before the dispute', async () => {
    const subscription = await subscribe()
    await shop.pass(31)
    await shop.pass(1)
    await disputeNewest(subscription)
    await shop.pass(31)
    await shop.pass(31)
    expect(await backOf(subscription)).toEqual({ amount: 998, currency: 'usd' })
    expect(await refundedOf(subscription)).toEqual([0, 0, 499, 499])
  })

  it('comes back of an older invoice too that was paid since', async () => {
    const { stripe, gateway, pass } = shop
    const subscription = await subscribe()
    const { id, customerId } = subscription
    const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customerId })
    const working = await stripe.paymentMethods.attach('pm_card_visa', { customer: customerId })
    await stripe.subscriptions.update(id, { default_payment_method: failing.id })
    await pass(30)
    await pass(1)
    await disputeNewest(subscription)
    await pass(1)
    const owed = (await newest(gateway, customerId)).latestInvoice
    await stripe.invoices.pay(owed?.id ?? '', { payment_method: working.id })
    expect(await backOf(subscription)).toEqual({ amount: 499, currency: 'usd' })
    expect(await refundedOf(subscription)).toEqual([0, 499])
  })

  it('is nothing without a renewal, and without a dispute', async () => {
    const [disputed, undisputed] = [await subscribe(), await subscribe()]
    await disputeNewest(disputed)
    expect(await backOf(disputed)).toBeNull()
    await shop.pass(31)
    expect(await backOf(undisputed)).toBeNull()
    expect(await refundedOf(undisputed)).toEqual([0, 0])
  })

  it('is nothing when the dispute was won', async () => {
    const subscription = await subscribe()
    const { id } = await disputeNewest(subscription)
    await shop.pass(31)
    await shop.controls.closeDispute(id, 'won')
    expect(await backOf(subscription)).toBeNull()
    expect(await refundedOf(subscription)).toEqual([0, 0])
  })

  it('is nothing when the bank merely asks', async () => {
    const subscription = await subscribe()
    const [charge] = await chargesOf(subscription)
    await shop.controls.openDispute(charge?.id ?? '', { isInquiry: true })
    await shop.pass(31)
    expect(await backOf(subscription)).toBeNull()
    expect(await refundedOf(subscription)).toEqual([0, 0])
  })

  it('is not even asked for of a renewal that is disputed too', async () => {
    const { controls, pass } = shop
    const subscription = await subscribe()
    await disputeNewest(subscription)
    await pass(31)
    await disputeNewest(subscription)
    const disputed = (await chargesOf(subscription)).at(-1)
    const about = String(disputed?.payment_intent)
    await controls.addFault({ kind: 'forbidden', match: 'POST /v1/refunds', about })
    await pass(31)
    expect(await backOf(subscription)).toEqual({ amount: 499, currency: 'usd' })
    expect(await refundedOf(subscription)).toEqual([0, 0, 499])
  })

  it('begins with the first dispute that was not won', async () => {
    const { controls, pass } = shop
    const subscription = await subscribe()
    const { id: won } = await disputeNewest(subscription)
    await pass(31)
    await controls.closeDispute(won, 'won')
    const { id: lost } = await disputeNewest(subscription)
    await pass(31)
    const { id: wonLater } = await disputeNewest(subscription)
    await pass(31)
    await disputeNewest(subscription)
    await controls.closeDispute(wonLater, 'won')
    await controls.closeDispute(lost, 'lost')
    expect(await backOf(subscription)).toEqual({ amount: 499, currency: 'usd' })
    expect(await refundedOf(subscription)).toEqual([0, 0, 499, 0])
  })

  it('is not of a newer subscription, and not of a dispute about something else', async () => {
    const { stripe, controls, monthly, pass } = shop
    const disputed = await subscribe()
    const dispute = await disputeNewest(disputed)
    await stripe.subscriptions.cancel(disputed.id)
    await pass(1)
    await shop.subscribe(disputed.customerId, monthly)
    await controls.closeDispute(dispute.id, 'lost')
    const alone = await subscribe()
    const once = await stripe.paymentIntents.create({
      amount: 900,
      currency: 'usd',
      customer: alone.customerId,
      payment_method: 'pm_card_visa',
      confirm: true,
    })
    await controls.openDispute(String(once.latest_charge))
    await pass(31)
    expect(await backOf(disputed)).toBeNull()
    expect(await backOf(alone)).toBeNull()
    expect((await stripe.refunds.list()).data).toEqual([])
  })

  it('is of an older subscription, too, which a newer one kept closed', async () => {
    const { stripe, monthly, pass } = shop
    const older = await subscribe()
    await pass(1)
    const newer = await shop.subscribe(older.customerId, monthly)
    await disputeNewest(newer)
    await stripe.subscriptions.cancel(newer.id)
    await pass(31)
    expect(await backOf(older)).toEqual({ amount: 499, currency: 'usd' })
    expect(await refundedOf(older)).toEqual([0, 0, 499])
  })

  it('comes back of a subscription that has ended since', async () => {
    const { stripe, pass } = shop
    const subscription = await subscribe()
    await disputeNewest(subscription)
    await pass(31)
    await stripe.subscriptions.cancel(subscription.id)
    expect(await backOf(subscription)).toEqual({ amount: 499, currency: 'usd' })
  })

  it('is nothing that a credit paid', async () => {
    const { stripe, pass } = shop
    const subscription = await subscribe()
    await disputeNewest(subscription)
    await stripe.customers.update(subscription.customerId, { balance: -499 })
    await pass(31)
    const paid = await stripe.invoices.list({ subscription: subscription.id, status: 'paid' })
    expect(paid.data.map(({ amount_paid: amount }) => amount)).toEqual([0, 499])
    expect(await backOf(subscription)).toBeNull()
  })

  it('comes back once, and the same is answered again', async () => {
    const { stripe, pass } = shop
    const subscription = await subscribe()
    await disputeNewest(subscription)
    await pass(31)
    const first = await backOf(subscription)
    expect(await backOf(subscription)).toEqual(first)
    expect((await stripe.refunds.list()).data.map(({ amount }) => amount)).toEqual([499])
  })

  it.each([
    ['all', 499],
    ['part', 200],
  ])('counts whole where somebody at the desk gave %s of it back', async (_much, amount) => {
    const { stripe, pass } = shop
    const subscription = await subscribe()
    await disputeNewest(subscription)
    await pass(31)
    const renewal = (await chargesOf(subscription)).at(-1)
    await stripe.refunds.create({ charge: renewal?.id ?? '', amount })
    expect(await backOf(subscription)).toEqual({ amount: 499, currency: 'usd' })
    expect(await refundedOf(subscription)).toEqual([0, 499])
  })

  it('comes back as far as it is not refused, and the rest when it is asked for again', async () => {
    const { gateway, stripe, controls, pass } = shop
    const subscription = await subscribe()
    await disputeNewest(subscription)
    await pass(31)
    await pass(31)
    await controls.addFault({ kind: 'forbidden', match: 'POST /v1/refunds' })
    const refused = (await stripe.invoices.list({ customer: subscription.customerId })).data.at(-2)?.id
    const part = { amount: 499, currency: 'usd' }
    expect(await gateway.refundSinceDisputed(subscription.customerId)).toEqual({
      back: part,
      refused: [refused],
    })
    expect(await refundedOf(subscription)).toEqual([0, 0, 499])
    expect(await backOf(subscription)).toEqual({ amount: 998, currency: 'usd' })
    expect(await refundedOf(subscription)).toEqual([0, 499, 499])
  })

  it('comes back whole when it is more than Stripe answers at once', async () => {
    const { stripe, pass } = shop
    const subscription = await subscribe()
    await disputeNewest(subscription)
    await pass(104 * 31)
    const renewals = (await chargesOf(subscription)).slice(1)
    expect(renewals.length).toBeGreaterThan(101)
    const amount = 499 * renewals.length
    expect(await backOf(subscription)).toEqual({ amount, currency: 'usd' })
    const refunds = await stripe.refunds.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 })
    expect(refunds).toHaveLength(renewals.length)
  })
})
