import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newest, orderOf, pagesOf, type StripeShop, startStripeShop } from '../../../test/stripe-shop.ts'
import type { Subscription } from './payment-gateway.ts'
import { secondsOf } from './stripe-connection.ts'

let shop: StripeShop
beforeAll(async () => {
  shop = await startStripeShop()
})
afterAll(() => shop.stop())

/** A month passes, and the renewal of what the customer subscribes to cannot be paid. */
async function owing({ stripe, gateway, pass }: StripeShop, customerId: string): Promise<Subscription> {
  const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customerId })
  const { id } = await newest(gateway, customerId)
  await stripe.subscriptions.update(id, { default_payment_method: failing.id })
  await pass(31)
  return await newest(gateway, customerId)
}

describe('the subscriptions of a customer', () => {
  it('are told with their price, their period and the invoice', async () => {
    const { gateway, monthly } = shop
    const customerId = await shop.join()
    await shop.subscribe(customerId, monthly)
    const [subscription] = await gateway.listSubscriptions(customerId)
    expect(subscription).toMatchObject({
      customerId,
      status: 'active',
      createdAt: new Date('2026-11-20T18:00:00Z'),
      priceId: monthly.id,
      price: { amount: 499, currency: 'usd', interval: 'monthly' },
      periodStartsAt: new Date('2026-11-20T18:00:00Z'),
      periodEndsAt: new Date('2026-12-20T18:00:00Z'),
      endsAt: null,
      endedAt: null,
      schedule: null,
      owedSince: null,
      latestInvoice: {
        isPaid: true,
        amount: 499,
        currency: 'usd',
        paidAt: new Date('2026-11-20T18:00:00Z'),
        url: expect.stringMatching(/^https?:/),
      },
    })
  })

  it('come the oldest first, those that have ended too', async () => {
    const { gateway, monthly, yearly } = shop
    const customerId = await shop.join()
    const first = await shop.subscribe(customerId, monthly)
    await gateway.cancelSubscription(first.id)
    const second = await shop.subscribe(customerId, yearly)
    const found = await gateway.listSubscriptions(customerId)
    expect(found.map(({ id, status }) => [id, status])).toEqual([
      [first.id, 'canceled'],
      [second.id, 'active'],
    ])
    expect(found[0]?.endedAt).toBeInstanceOf(Date)
    expect(found[1]?.price.interval).toBe('yearly')
  })

  it('say when they end, however that was asked for', async () => {
    const { gateway, stripe, monthly } = shop
    const ends = await Promise.all(
      [{ cancel_at_period_end: true }, { cancel_at: 'min_period_end' as const }].map(async (end) => {
        const customerId = await shop.join()
        const { id } = await shop.subscribe(customerId, monthly)
        await stripe.subscriptions.update(id, end)
        return (await newest(gateway, customerId)).endsAt
      }),
    )
    expect(ends).toEqual([new Date('2026-12-20T18:00:00Z'), new Date('2026-12-20T18:00:00Z')])
  })

  it('tell of an invoice that could not be paid, and where it can', async () => {
    const other = await startStripeShop()
    try {
      const customerId = await other.join()
      await other.subscribe(customerId, other.monthly)
      expect(await owing(other, customerId)).toMatchObject({
        status: 'past_due',
        owedSince: new Date('2026-12-20T18:00:00Z'),
        latestInvoice: { isPaid: false, amount: 499, paidAt: null, url: expect.stringMatching(/^https?:/) },
      })
    } finally {
      await other.stop()
    }
  })

  it('are none for a customer that was deleted or never was', async () => {
    const { gateway } = shop
    const customerId = await shop.join()
    await gateway.removeCustomer(customerId)
    expect(await gateway.listSubscriptions(customerId)).toEqual([])
    expect(await gateway.listSubscriptions('cus_neverwas')).toEqual([])
  })

  it('of everybody come page by page, each once', async () => {
    const other = await startStripeShop()
    try {
      const { stripe, gateway, monthly } = other
      for (let count = 0; count < 103; count += 1) {
        const customer = await stripe.customers.create({ payment_method: 'pm_card_visa' })
        await stripe.subscriptions.create({
          customer: customer.id,
          items: [{ price: monthly.id }],
          trial_period_days: 7,
        })
      }
      const pages = await pagesOf(gateway.listAllSubscriptions())
      expect(pages.map(({ length }) => length)).toEqual([100, 3])
      expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(103)
      expect(pages[0]?.[0]?.status).toBe('trialing')
    } finally {
      await other.stop()
    }
  })

  it('of everybody are told with those on test clocks, which no other list shows', async () => {
    const other = await startStripeShop()
    try {
      const { stripe, gateway, monthly } = other
      const customerIds = await Promise.all([other.join(), other.join(), other.join()])
      for (const customerId of customerIds) await other.subscribe(customerId, monthly)
      for (const customer of customerIds.slice(1)) {
        await stripe.testHelpers.testClocks.create({ frozen_time: secondsOf(other.clock.now()), customer })
      }
      const pages = await pagesOf(gateway.listAllSubscriptions())
      expect(pages.flat().map(({ customerId }) => customerId)).toEqual([
        customerIds[0],
        ...customerIds.slice(1).reverse(),
      ])
      await other.controls.addFault({ kind: 'forbidden', match: 'GET /v1/test_helpers/test_clocks' })
      const withoutClocks = await pagesOf(gateway.listAllSubscriptions())
      expect(withoutClocks.flat().map(({ customerId }) => customerId)).toEqual([customerIds[0]])
    } finally {
      await other.stop()
    }
  })
})

describe('ending', () => {
  const aMinuteLater = () => new Date(shop.clock.now().getTime() + 60_000)

  it('a subscription twice leaves it ended', async () => {
    const { gateway, monthly } = shop
    const customerId = await shop.join()
    const { id } = await shop.subscribe(customerId, monthly)
    await gateway.cancelSubscription(id)
    await gateway.cancelSubscription(id)
    expect((await newest(gateway, customerId)).status).toBe('canceled')
  })

  it('everything closes open checkouts and cancels what is paid, twice too', async () => {
    const { gateway, stripe, controls, monthly } = shop
    const customerId = await shop.join()
    await shop.subscribe(customerId, monthly)
    const { url } = await gateway.startCheckout(orderOf(customerId, monthly))
    await gateway.endEverything(customerId, aMinuteLater())
    await gateway.endEverything(customerId, aMinuteLater())
    expect((await controls.completeCheckout(url)).status).toBe('expired')
    const open = await stripe.checkout.sessions.list({ customer: customerId, status: 'open' })
    expect(open.data).toEqual([])
    expect((await gateway.listSubscriptions(customerId)).map(({ status }) => status)).toEqual(['canceled'])
  })

  it('everything gives back what began since, and nothing that began before', async () => {
    const { gateway, stripe, monthly, clock } = shop
    const refundedSince = async (givenBackFrom: Date) => {
      const customerId = await shop.join()
      await shop.subscribe(customerId, monthly)
      expect(await gateway.endEverything(customerId, givenBackFrom)).toEqual([])
      const { data: charges } = await stripe.charges.list({ customer: customerId })
      return charges.map(({ refunded }) => refunded)
    }
    expect(await refundedSince(clock.now())).toEqual([true])
    expect(await refundedSince(aMinuteLater())).toEqual([false])
  })

  it('everything ends though what began since is not given back, and says so', async () => {
    const { gateway, controls, monthly, clock } = shop
    const customerId = await shop.join()
    const { id } = await shop.subscribe(customerId, monthly)
    await controls.addFault({ kind: 'forbidden', match: 'POST /v1/refunds' })
    expect(await gateway.endEverything(customerId, clock.now())).toEqual([id])
    expect((await newest(gateway, customerId)).status).toBe('canceled')
  })

  it.each([
    ['it', (gateway: StripeShop['gateway'], { id }: Subscription) => gateway.cancelSubscription(id)],
    [
      'everything',
      (gateway: StripeShop['gateway'], { customerId }: Subscription) =>
        gateway.endEverything(customerId, aMinuteLater()),
    ],
  ])('%s leaves nothing that could still be paid', async (_name, end) => {
    const other = await startStripeShop()
    try {
      const { gateway, stripe, monthly } = other
      const customerId = await other.join()
      await other.subscribe(customerId, monthly)
      const subscription = await owing(other, customerId)
      await end(gateway, subscription)
      const { data: invoices } = await stripe.invoices.list({ customer: customerId })
      expect(invoices.map(({ status }) => status)).toEqual(['void', 'paid'])
      expect((await newest(gateway, customerId)).status).toBe('canceled')
    } finally {
      await other.stop()
    }
  })

  it('everything of a customer that is gone is done already', async () => {
    const { gateway } = shop
    const customerId = await shop.join()
    await gateway.removeCustomer(customerId)
    expect(await gateway.endEverything(customerId, aMinuteLater())).toEqual([])
    expect(await gateway.endEverything('cus_neverwas', aMinuteLater())).toEqual([])
  })
})

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

describe('a dispute', () => {
  async function disputed() {
    const { stripe, controls, monthly } = shop
    const customerId = await shop.join()
    await shop.subscribe(customerId, monthly)
    const { data: charges } = await stripe.charges.list({ customer: customerId })
    const chargeId = charges[0]?.id ?? ''
    return { customerId, chargeId, dispute: await controls.openDispute(chargeId) }
  }

  it('is known while it is open and when it was lost, not when it was won', async () => {
    const { gateway, controls } = shop
    const [lost, won] = [await disputed(), await disputed()]
    const paidAt = shop.clock.now()
    expect(await gateway.findDisputed(lost.customerId)).toEqual({ open: paidAt, lost: null })
    await controls.closeDispute(lost.dispute.id, 'lost')
    await controls.closeDispute(won.dispute.id, 'won')
    expect(await gateway.findDisputed(lost.customerId)).toEqual({ open: null, lost: paidAt })
    expect(await gateway.findDisputed(won.customerId)).toEqual({ open: null, lost: null })
  })

  it('is not there for who just pays', async () => {
    const customerId = await shop.join()
    await shop.subscribe(customerId, shop.monthly)
    expect(await shop.gateway.findDisputed(customerId)).toEqual({ open: null, lost: null })
  })

  it('is traced from the charge to its customer', async () => {
    const { customerId, chargeId } = await disputed()
    expect(await shop.gateway.customerOfCharge(chargeId)).toBe(customerId)
    expect(await shop.gateway.customerOfCharge('ch_neverwas')).toBeNull()
  })

  it('leaves nothing to refund', async () => {
    const { customerId } = await disputed()
    const subscription = await newest(shop.gateway, customerId)
    expect(await shop.gateway.refundLatestInvoice(subscription)).toBe(false)
  })
})
