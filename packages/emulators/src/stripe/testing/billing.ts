import type Stripe from 'stripe'
import { type StripeAdmin, stripeAdmin } from '../admin/client.ts'
import type { StripeOptions } from '../stripe.ts'
import { type Emulator, startEmulator } from './start-emulator.ts'

/** 31 January 2026, noon UTC: the longest month's last day, where months are hardest. */
export const clockStart = Date.UTC(2026, 0, 31, 12) / 1000

export const daySeconds = 86_400

export type Member = { clockId: string; customerId: string; cardId: string }

/** A product with a price of $9.00 a month, one of $15.00 a month and one of $90.00 a year. */
export async function createPrices(stripe: Stripe) {
  const product = await stripe.products.create({ name: 'Tidings' })
  return {
    monthly: await createPrice(stripe, product.id, { cents: 900, interval: 'month' }),
    dearer: await createPrice(stripe, product.id, { cents: 1_500, interval: 'month' }),
    yearly: await createPrice(stripe, product.id, { cents: 9_000, interval: 'year' }),
  }
}

/** A recurring price in dollars. */
export function createPrice(
  stripe: Stripe,
  product: string,
  { cents, interval }: { cents: number; interval: 'month' | 'year' },
) {
  return stripe.prices.create({ product, currency: 'usd', unit_amount: cents, recurring: { interval } })
}

/** A customer on a test clock of its own, whose default card is `card` (`pm_card_visa`); null for one without a card. */
export async function createMember(stripe: Stripe, card: string | null = 'pm_card_visa'): Promise<Member> {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: clockStart })
  const customer = await stripe.customers.create({ email: 'ada@example.com', test_clock: clock.id })
  const given = card === null ? null : await giveCard(stripe, customer.id, card)
  return { clockId: clock.id, customerId: customer.id, cardId: given?.id ?? '' }
}

/** Saves a card with a customer and makes it the one that pays. */
export async function giveCard(stripe: Stripe, customerId: string, card: string) {
  const attached = await stripe.paymentMethods.attach(card, { customer: customerId })
  await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: attached.id } })
  return attached
}

/** Moves a clock to so many days after its start. */
export async function advanceToDay(stripe: Stripe, clockId: string, day: number) {
  await stripe.testHelpers.testClocks.advance(clockId, { frozen_time: clockStart + day * daySeconds })
}

/** The one item of a subscription. */
export function itemOf({ items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = items.data
  if (!item) throw new Error('The subscription has no item.')
  return item
}

export type Catalog = {
  product: Stripe.Product
  monthly: Stripe.Price
  yearly: Stripe.Price
  customer: Stripe.Customer
}

/** One product at $9.00 a month or $90.00 a year, and somebody who might buy it. */
export async function createCatalog(stripe: Stripe): Promise<Catalog> {
  const product = await stripe.products.create({ name: 'Tidings' })
  const [monthly, yearly] = await Promise.all([
    createPrice(stripe, product.id, { cents: 900, interval: 'month' }),
    createPrice(stripe, product.id, { cents: 9_000, interval: 'year' }),
  ])
  const customer = await stripe.customers.create({ email: 'ada@example.com' })
  return { product, monthly, yearly, customer }
}

type Subscribed = Member & { id: string }

/** A stand-in with prices in it, and what subscribes somebody. */
export type Billing = Emulator & {
  admin: StripeAdmin
  prices: Awaited<ReturnType<typeof createPrices>>
  /** A subscription of a customer, monthly unless said otherwise. */
  subscribe(customer: string, more?: Partial<Stripe.SubscriptionCreateParams>): Promise<Stripe.Subscription>
  /** Somebody in the middle of the first period of such a subscription: 14 of 28 days have passed. */
  halfway(more?: Partial<Stripe.SubscriptionCreateParams>): Promise<Subscribed & { itemId: string }>
  /** Somebody whose first month is paid, with the charge of it. */
  paidMember(): Promise<Subscribed & { charge: Stripe.Charge; invoiceId: string }>
  latestInvoice(subscription: Stripe.Subscription): Promise<Stripe.Invoice>
  /** The newest event of a type. */
  lastEvent(type: string): Promise<Stripe.Event | undefined>
}

/** Starts a stand-in of its own for tests of billing. */
export async function openBilling(options: Partial<StripeOptions> = {}): Promise<Billing> {
  const emulator = await startEmulator(options)
  const { stripe, url } = emulator
  const prices = await createPrices(stripe)

  function subscribe(customer: string, more: Partial<Stripe.SubscriptionCreateParams> = {}) {
    return stripe.subscriptions.create({ customer, items: [{ price: prices.monthly.id }], ...more })
  }

  return {
    ...emulator,
    admin: stripeAdmin(url),
    prices,
    subscribe,
    async halfway(more = {}) {
      const member = await createMember(stripe)
      const subscription = await subscribe(member.customerId, more)
      await advanceToDay(stripe, member.clockId, 14)
      return { ...member, id: subscription.id, itemId: itemOf(subscription).id }
    },
    async paidMember() {
      const member = await createMember(stripe)
      const { id, latest_invoice: invoice } = await subscribe(member.customerId)
      const [charge] = (await stripe.charges.list({ customer: member.customerId })).data
      if (!charge) throw new Error('Nothing was charged.')
      return { ...member, id, charge, invoiceId: String(invoice) }
    },
    latestInvoice: ({ latest_invoice: invoice }) => stripe.invoices.retrieve(String(invoice)),
    async lastEvent(type) {
      const [event] = (await stripe.events.list({ type, limit: 1 })).data
      return event
    },
  }
}

/** The amounts of an invoice's lines. */
export function amountsOf({ lines }: Stripe.Invoice): number[] {
  return lines.data.map(({ amount }) => amount)
}
