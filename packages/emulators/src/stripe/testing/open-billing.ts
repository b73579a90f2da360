import type Stripe from 'stripe'
import { type StripeAdmin, stripeAdmin } from '../admin/client.ts'
import type { StripeOptions } from '../stripe.ts'
import { advanceToDay, createMember, createPrices, itemOf, type Member } from './members.ts'
import { type Emulator, startEmulator } from './start-emulator.ts'

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
