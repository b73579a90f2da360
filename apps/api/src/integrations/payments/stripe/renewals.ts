import type Stripe from 'stripe'
import {
  type Money,
  type PaymentGateway,
  type Renewal,
  type Subscription,
  SubscriptionChangedError,
} from '../payment-gateway.ts'
import { secondsOf } from './client.ts'
import { isRefusal } from './errors.ts'
import { itemOf } from './subscription-mapper.ts'

/** Previews what prices cost a subscriber, with discounts and tax, through Stripe's invoice previews. */
export function stripeRenewals(stripe: Stripe): Pick<PaymentGateway, 'previewChange' | 'previewRenewal'> {
  async function retrieve({ id }: Subscription): Promise<Stripe.Subscription> {
    return await stripe.subscriptions.retrieve(id, { expand: ['discounts.source.coupon'] })
  }

  /** Throws {@link SubscriptionChangedError} if a concurrent change has replaced the previewed item. */
  async function orChanged<T>({ id, itemId }: Subscription, preview: Promise<T>): Promise<T> {
    try {
      return await preview
    } catch (error) {
      if (!isRefusal(error) || itemOf(await stripe.subscriptions.retrieve(id)).id === itemId) throw error
      throw new SubscriptionChangedError(`${id} has another item now`)
    }
  }

  /** Returns the cost of a whole period at a price with some of the subscription's discounts. */
  async function previewPeriod(
    now: Stripe.Subscription,
    subscription: Subscription,
    priceId: string,
    discounts: readonly Stripe.Discount[],
  ): Promise<Money> {
    const preview = stripe.invoices.createPreview({
      subscription: now.id,
      // A subscription without discounts has the customer's.
      ...(now.discounts.length === 0 ? {} : { discounts: discountsOnly(discounts) }),
      subscription_details: {
        items: [{ id: subscription.itemId, price: priceId, quantity: 1 }],
        proration_behavior: 'none',
        // A period that starts now is previewed whole, even if the current one ends or changes.
        billing_cycle_anchor: { type: 'now' },
        ...(now.status === 'trialing' ? { trial_end: 'now' } : {}),
      },
    })
    const { lines, currency } = await orChanged(subscription, preview)
    return { amount: sum(lines.data.filter(isOfPeriod).map(amountOf)), currency }
  }

  /** Returns the renewal. `isOnceUsed`: an invoice before the renewal uses up discounts of duration `once`. */
  async function renewalOf(
    now: Stripe.Subscription,
    subscription: Subscription,
    priceId: string,
    { renewsAt, isOnceUsed }: { renewsAt: number; isOnceUsed: boolean },
  ): Promise<Renewal> {
    const discounts = now.discounts.filter((one) => typeof one !== 'string')
    const lasting = discounts.filter((one) => durationOf(one) === 'forever')
    const next = discounts.filter((one) => {
      const duration = durationOf(one)
      if (duration === 'once') return !isOnceUsed
      return duration === 'forever' || (one.end ?? 0) > renewsAt
    })
    const { amount: regularAmount, currency } = await previewPeriod(now, subscription, priceId, lasting)
    if (next.length === lasting.length) return { amount: regularAmount, regularAmount, currency }
    const { amount } = await previewPeriod(now, subscription, priceId, next)
    return { amount, regularAmount, currency }
  }

  return {
    async previewChange(subscription, priceId, proratedAt) {
      const [now, { amount_due: amount, currency, lines }] = await Promise.all([
        retrieve(subscription),
        orChanged(
          subscription,
          stripe.invoices.createPreview({
            subscription: subscription.id,
            subscription_details: {
              items: changeOfItem(subscription.itemId, priceId),
              proration_behavior: 'always_invoice',
              proration_date: secondsOf(proratedAt),
            },
          }),
        ),
      ])
      const renewsAt = Math.max(...lines.data.map(({ period }) => period.end))
      const renewal = await renewalOf(now, subscription, priceId, { renewsAt, isOnceUsed: true })
      return { due: { amount, currency }, renewal }
    },
    async previewRenewal(subscription, priceId) {
      const renewsAt = secondsOf(subscription.periodEndsAt)
      return await renewalOf(await retrieve(subscription), subscription, priceId, {
        renewsAt,
        isOnceUsed: false,
      })
    },
  }
}

/** Replaces an item, so that Stripe refuses the second of two concurrent changes: its item is gone. */
export function changeOfItem(itemId: string, priceId: string) {
  return [
    { price: priceId, quantity: 1 },
    { id: itemId, deleted: true },
  ]
}

/** Stripe reads an empty string as no discounts, but ignores an empty list. */
function discountsOnly(discounts: readonly Stripe.Discount[]): '' | { discount: string }[] {
  return discounts.length === 0 ? '' : discounts.map(({ id }) => ({ discount: id }))
}

function durationOf({ source: { coupon } }: Stripe.Discount): Stripe.Coupon.Duration | undefined {
  return typeof coupon === 'object' ? coupon?.duration : undefined
}

export function isOfPeriod({ parent }: Stripe.InvoiceLineItem): boolean {
  return parent?.subscription_item_details?.proration === false
}

/** Returns what a line charges, with discounts and tax. */
export function amountOf({ amount, discount_amounts: discounts, taxes }: Stripe.InvoiceLineItem): number {
  const added = (taxes ?? []).filter(({ tax_behavior: behavior }) => behavior === 'exclusive')
  return amount - sum((discounts ?? []).map((one) => one.amount)) + sum(added.map((one) => one.amount))
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
