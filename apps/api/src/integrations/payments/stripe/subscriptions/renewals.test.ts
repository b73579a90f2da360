import type Stripe from 'stripe'
import { describe, expect } from 'vitest'
import type { Renewal, Subscription } from '#integrations/payments/payment-gateway.ts'
import { monthlyPrice, orderOf, storeApp, storeTest, yearlyPrice } from '#test/payments/stripe-store.ts'
import { secondsOf } from '../client/client.ts'

type Coupon = Stripe.CouponCreateParams
type Discount = {
  name: string
  /** Where the coupons are redeemed; `item`: the first one at the subscription's item. */
  at: 'checkout' | 'subscription' | 'item' | 'customer'
  coupons: (currency: string) => Coupon[]
}

const repeating = (percent: number, months: number): Coupon => {
  return { percent_off: percent, duration: 'repeating', duration_in_months: months }
}
const off = (amount: number, currency: string): Coupon => ({ amount_off: amount, currency })

const discounts: Discount[] = [
  { name: 'none', at: 'checkout', coupons: () => [] },
  { name: 'repeating', at: 'checkout', coupons: () => [repeating(33.3, 3)] },
  { name: 'long', at: 'checkout', coupons: () => [repeating(40, 14)] },
  { name: 'free', at: 'checkout', coupons: () => [repeating(100, 2)] },
  {
    name: 'forever',
    at: 'checkout',
    coupons: (currency) => [{ ...off(150, currency), duration: 'forever' }],
  },
  { name: 'once', at: 'subscription', coupons: () => [{ percent_off: 50, duration: 'once' }] },
  {
    name: 'several',
    at: 'subscription',
    coupons: (currency) => [
      repeating(25, 2),
      { ...off(50, currency), duration: 'repeating', duration_in_months: 4 },
      { percent_off: 10, duration: 'forever' },
    ],
  },
  { name: 'of the item', at: 'item', coupons: () => [{ percent_off: 50, duration: 'once' }] },
  {
    name: 'of the item and the subscription',
    at: 'item',
    coupons: (currency) => [repeating(25, 2), { ...off(50, currency), duration: 'forever' }],
  },
  { name: 'of the customer', at: 'customer', coupons: () => [repeating(20, 3)] },
]

const taxes = [
  { tax: null, percent: 0 },
  { tax: 'exclusive', percent: 8.875 },
  { tax: 'inclusive', percent: 20 },
] as const
const intervals = [
  { interval: 'monthly', days: 31, rounds: 4 },
  { interval: 'yearly', days: 366, rounds: 2 },
] as const

const prices = [monthlyPrice, yearlyPrice].flatMap((price) =>
  [
    { currency: 'usd', amount: price.amount },
    { currency: 'jpy', amount: price.interval === 'monthly' ? 499 : 4_999 },
  ].map(({ currency, amount }) => {
    const ids = { planId: `${price.planId}-${currency}`, priceId: `${price.priceId}-${currency}` }
    return { ...price, ...ids, currency, amount }
  }),
)

const it = storeTest()
  /** Sells the prices with a tax. */
  .extend('shopWith', ({ ownStore }) => async ({ tax, percent }: (typeof taxes)[number]) => {
    const { stripe, controls } = ownStore
    const gateway = ownStore.gatewayWith({ tax })
    await controls.setTax(percent)
    const sold = await gateway.syncCatalog(storeApp, prices, () => {})
    const own = { appIds: new Set([storeApp.id]), productIds: new Set(sold.map((one) => one.productId)) }
    const now = async (customer: string): Promise<Subscription> => {
      const [subscription] = await gateway.listSubscriptions(customer, own)
      if (subscription === undefined) throw new Error(`${customer} has no subscription.`)
      return subscription
    }
    return {
      /** Subscribes a new customer with a discount. */
      async sell(interval: string, currency: string, { at, coupons }: Discount): Promise<string> {
        const price = sold.find((one) => one.interval === interval && one.currency === currency)
        if (price === undefined) throw new Error(`There is no ${interval} price in ${currency}.`)
        const ids: string[] = []
        for (const coupon of coupons(currency))
          ids.push((await stripe.coupons.create({ ...coupon, metadata: { public: 'true' } })).id)
        const customer = await ownStore.join()
        const coupon = at === 'checkout' ? (ids[0] ?? null) : null
        const { url } = await gateway.startCheckout({ ...orderOf(customer, price), own, coupon })
        await controls.completeCheckout(url)
        const { id, itemId } = await now(customer)
        const named = ids.map((one) => ({ coupon: one }))
        if (at === 'subscription') await stripe.subscriptions.update(id, { discounts: named })
        if (at === 'item') {
          const items = [{ id: itemId, discounts: named.slice(0, 1) }]
          await stripe.subscriptions.update(id, { items, discounts: named.slice(1) })
        }
        if (at === 'customer') for (const id of ids) await controls.discountCustomer(customer, id)
        return customer
      },
      /** Returns the next payments of a customer. */
      async nextOf(customer: string): Promise<{ renewal: Renewal; renewsAt: number }> {
        const subscription = await now(customer)
        const renewal = await gateway.previewRenewal(subscription, subscription.priceId)
        return { renewal, renewsAt: secondsOf(subscription.periodEndsAt) }
      },
      /** Returns the latest invoice of a customer. */
      async chargeOf(customer: string): Promise<Pick<Stripe.Invoice, 'created' | 'total'>> {
        const [invoice] = (await stripe.invoices.list({ customer, limit: 1 })).data
        if (invoice === undefined) throw new Error('There is no invoice.')
        return invoice
      },
    }
  })

/** Returns what a renewal at an instant was said to charge. */
function amountAt({ amounts }: Renewal, seconds: number): number | undefined {
  return amounts.findLast(({ from }) => Date.parse(from) / 1000 <= seconds)?.amount
}

const sales = taxes.flatMap((tax) =>
  intervals.flatMap((interval) => ['usd', 'jpy'].map((currency) => ({ ...tax, ...interval, currency }))),
)

describe('previewRenewal', () => {
  it.for(sales)(
    'returns what Stripe charges with each discount: $interval, $currency, $tax tax',
    { timeout: 60_000 },
    async ({ interval, currency, days, rounds, ...tax }, { ownStore, shopWith }) => {
      const shop = await shopWith(tax)
      const sold = new Map<string, string>()
      for (const discount of discounts) sold.set(discount.name, await shop.sell(interval, currency, discount))
      const atFirst = new Map<string, Renewal>()
      for (const [name, customer] of sold) atFirst.set(name, (await shop.nextOf(customer)).renewal)
      expect(atFirst.get('none')?.taxBehavior).toBe(tax.tax)
      for (let round = 1; round <= rounds; round += 1) {
        const next = new Map<string, Awaited<ReturnType<typeof shop.nextOf>>>()
        for (const [name, customer] of sold) next.set(name, await shop.nextOf(customer))
        await ownStore.pass(days)
        for (const [name, customer] of sold) {
          const { created, total } = await shop.chargeOf(customer)
          const about = `${name}, payment ${round}`
          const { renewal, renewsAt } = next.get(name) ?? {}
          expect([renewal?.amount, renewal?.amounts[0]?.amount], about).toEqual([total, total])
          expect(renewsAt, about).toBe(created)
          const first = atFirst.get(name)
          expect(first && amountAt(first, created), `${about}, as shown at first`).toBe(total)
        }
      }
    },
  )
})
