import type Stripe from 'stripe'
import { type StripeAdmin, stripeAdmin } from '../admin/client.ts'
import type { StripeOptions } from '../stripe.ts'
import { type Emulator, startEmulator } from './start-emulator.ts'

/** 31 January 2026, noon UTC: the day that shorter months don't have. */
export const clockStart = Date.UTC(2026, 0, 31, 12) / 1000

export const daySeconds = 86_400

export type Member = { clockId: string; customerId: string; cardId: string }

/** Creates a product with prices of $9.00 and $15.00 a month and $90.00 a year. */
export async function createPrices(stripe: Stripe) {
  const product = await stripe.products.create({ name: 'Tidings' })
  return {
    monthly: await createPrice(stripe, product.id, { cents: 900, interval: 'month' }),
    dearer: await createPrice(stripe, product.id, { cents: 1_500, interval: 'month' }),
    yearly: await createPrice(stripe, product.id, { cents: 9_000, interval: 'year' }),
  }
}

/** Creates a recurring price. */
function createPrice(
  stripe: Stripe,
  product: string,
  { cents, interval }: { cents: number; interval: 'month' | 'year' },
) {
  return stripe.prices.create({ product, currency: 'usd', unit_amount: cents, recurring: { interval } })
}

/** Creates a customer on its own test clock, with `card` as the default; null for none. */
export async function createMember(stripe: Stripe, card: string | null = 'pm_card_visa'): Promise<Member> {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: clockStart })
  const customer = await stripe.customers.create({ email: 'ada@example.com', test_clock: clock.id })
  const given = card === null ? null : await giveCard(stripe, customer.id, card)
  return { clockId: clock.id, customerId: customer.id, cardId: given?.id ?? '' }
}

/** Attaches a card and makes it the customer's default. */
export async function giveCard(stripe: Stripe, customerId: string, card: string) {
  const attached = await stripe.paymentMethods.attach(card, { customer: customerId })
  await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: attached.id } })
  return attached
}

/** Advances a clock to a day after its start. */
export async function advanceToDay(stripe: Stripe, clockId: string, day: number) {
  await stripe.testHelpers.testClocks.advance(clockId, { frozen_time: clockStart + day * daySeconds })
}

/** Returns the item of a subscription. */
export function itemOf({ items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = items.data
  if (!item) throw new Error('The subscription has no item.')
  return item
}

/** Schedules another price for the periods after the current one. */
export async function schedulePrice(stripe: Stripe, subscription: string, price: string) {
  const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscription })
  const [current] = phases
  if (!current) throw new Error('The schedule has no phase.')
  const { start_date, end_date, items } = current
  return await stripe.subscriptionSchedules.update(id, {
    end_behavior: 'release',
    phases: [
      { start_date, end_date, items: items.map((item) => ({ price: String(item.price) })) },
      { items: [{ price }], proration_behavior: 'none' },
    ],
  })
}

export type Catalog = Awaited<ReturnType<typeof createCatalog>>

/** Creates the prices of {@link createPrices}, and a customer. */
export async function createCatalog(stripe: Stripe) {
  const prices = await createPrices(stripe)
  return { ...prices, customer: await stripe.customers.create({ email: 'ada@example.com' }) }
}

type Subscribed = Member & { id: string }

/** An emulator with prices, and functions that subscribe members. */
type Billing = Emulator & {
  admin: StripeAdmin
  prices: Awaited<ReturnType<typeof createPrices>>
  /** Subscribes a customer, monthly by default. */
  subscribe(customer: string, more?: Partial<Stripe.SubscriptionCreateParams>): Promise<Stripe.Subscription>
  /** Creates a member after 14 of 28 days of the first period. */
  halfway(more?: Partial<Stripe.SubscriptionCreateParams>): Promise<Subscribed & { itemId: string }>
  /** Creates a member whose first month is paid. */
  paidMember(): Promise<Subscribed & { charge: Stripe.Charge; invoiceId: string }>
  latestInvoice(subscription: Stripe.Subscription): Promise<Stripe.Invoice>
  lastEvent(type: string): Promise<Stripe.Event | undefined>
}

/** Starts an emulator for billing tests. */
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

export function amountsOf({ lines }: Stripe.Invoice): number[] {
  return lines.data.map(({ amount }) => amount)
}
