import type Stripe from 'stripe'
import {
  type BillingPeriod,
  discountsAt,
  renewalsAfterDiscounts,
} from '#integrations/payments/discount-terms.ts'
import { PaymentsRefusedError, SubscriptionChangedError } from '#integrations/payments/gateway-errors.ts'
import type {
  PaymentGateway,
  Renewal,
  RenewalStep,
  Subscription,
} from '#integrations/payments/payment-gateway.ts'
import { idOf, instantOf, secondsOf } from '../client/client.ts'
import { isCouponRefusal, isRefusal } from '../client/errors.ts'
import {
  discountParts,
  discountsOf,
  type RenewalDiscount,
  type RenewalTerms,
  stripeRenewalTerms,
} from './renewal-terms.ts'
import { itemOf } from './subscription-mapper.ts'

/** Previews what prices cost a subscriber, with discounts and tax, through Stripe's invoice previews. */
export function stripeRenewals(stripe: Stripe): Pick<PaymentGateway, 'previewChange' | 'previewRenewal'> {
  const { termsOf } = stripeRenewalTerms(stripe)

  async function retrieve({ id }: Subscription): Promise<Stripe.Subscription> {
    return await stripe.subscriptions.retrieve(id, { expand: discountParts })
  }

  /** Throws {@link SubscriptionChangedError} if a concurrent change has replaced the previewed item. */
  async function orChanged<T>({ id, itemId }: Subscription, preview: Promise<T>): Promise<T> {
    try {
      return await preview
    } catch (error) {
      // Previews name coupons of the subscription or its schedule, and no code of a member.
      if (isCouponRefusal(error)) throw new PaymentsRefusedError(`no preview of a coupon of ${id}`)
      if (!isRefusal(error) || itemOf(await stripe.subscriptions.retrieve(id)).id === itemId) throw error
      throw new SubscriptionChangedError(`${id} has another item now`)
    }
  }

  /** Returns the cost of a whole period with some of the terms' discounts. */
  async function previewPeriod(
    now: Stripe.Subscription,
    subscription: Subscription,
    { priceId, quantity, discounts, itemDiscounts }: RenewalTerms,
  ): Promise<PeriodCost> {
    const item = { id: subscription.itemId, price: priceId, quantity }
    const hasDiscounts = now.items.data.some(({ id, discounts: own }) => id === item.id && own.length > 0)
    const isDiscounted = hasDiscounts || itemDiscounts.length > 0
    const preview = stripe.invoices.createPreview({
      subscription: now.id,
      discounts: discountsOnly(discounts),
      subscription_details: {
        items: [{ ...item, ...(isDiscounted && { discounts: discountsOnly(itemDiscounts) }) }],
        proration_behavior: 'none',
        // A period that starts now is previewed whole, even if the current one ends or changes.
        billing_cycle_anchor: { type: 'now' },
        ...(now.status === 'trialing' ? { trial_end: 'now' } : {}),
      },
    })
    const { lines, currency } = await orChanged(subscription, preview)
    return { ...costOf(lines.data.filter(isOfPeriod)), currency }
  }

  async function renewalOf(
    now: Stripe.Subscription,
    subscription: Subscription,
    terms: RenewalTerms,
    { renewsAt, isOnceUsed }: Upcoming,
  ): Promise<Renewal> {
    const { discounts, itemDiscounts } = terms
    const previewAt = async (at: number, isFirst: boolean) =>
      await previewPeriod(now, subscription, {
        ...terms,
        discounts: discountsAt(discounts, at, { isFirst }),
        itemDiscounts: discountsAt(itemDiscounts, at, { isFirst }),
      })
    const next = await previewAt(renewsAt, !isOnceUsed)
    const { currency, period } = next
    const costs = [{ ...next, at: renewsAt }]
    const renewals = { renewsAt, anchor: now.billing_cycle_anchor, period, isOnceUsed }
    for (const at of renewalsAfterDiscounts([...itemDiscounts, ...discounts], renewals))
      costs.push({ ...(await previewAt(at, false)), at })
    const amounts = costs.filter(isChange).map(({ at, amount, tax }): RenewalStep => {
      return { from: instantOf(at).toISOString(), amount, tax }
    })
    const regularAmount = amounts.at(-1)?.amount ?? next.amount
    return { amount: next.amount, regularAmount, currency, taxBehavior: taxBehaviorOf(costs), amounts }
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
      // The change drops a schedule and the item, and with them their discounts.
      const terms = { priceId, quantity: 1, discounts: discountsOf(now), itemDiscounts: [] }
      const renewal = await renewalOf(now, subscription, terms, { renewsAt, isOnceUsed: true })
      return { due: { amount, currency }, renewal }
    },
    async previewRenewal(subscription, changeTo) {
      const renewsAt = secondsOf(subscription.periodEndsAt)
      const now = await retrieve(subscription)
      const terms = await termsOf(now, subscription, changeTo)
      return await renewalOf(now, subscription, terms, { renewsAt, isOnceUsed: false })
    },
  }
}

/** Reads what periods have cost, from the lines of paid invoices: credit lowers an invoice, not the price. */
export function stripePeriodCharges(stripe: Stripe): Pick<PaymentGateway, 'findPeriodCharge'> {
  return {
    async findPeriodCharge({ id: subscription, priceId }) {
      const { data } = await stripe.invoices.list({ subscription, status: 'paid', limit: 10 })
      const latest = data.find(({ lines }) => lines.data.some(isOfPeriod))
      const lines = latest?.lines.data.filter(isOfPeriod) ?? []
      // A change within the period charges the difference only.
      if (latest === undefined || !lines.some((line) => priceOf(line) === priceId)) return null
      return { amount: sum(lines.map(amountOf)), currency: latest.currency }
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
function discountsOnly(discounts: readonly RenewalDiscount[]): '' | RenewalDiscount['named'][] {
  return discounts.length === 0 ? '' : discounts.map(({ named }) => named)
}

/** The first renewal. `isOnceUsed`: an invoice before it uses up discounts of duration `once`. */
type Upcoming = { renewsAt: number; isOnceUsed: boolean }

/** The cost of a whole period, with discounts and tax. */
type PeriodCost = {
  amount: number
  tax: number
  currency: string
  period: BillingPeriod
  behaviors: readonly string[]
}

function costOf(lines: readonly Stripe.InvoiceLineItem[]): Omit<PeriodCost, 'currency'> {
  const taxes = lines.flatMap((line) => line.taxes ?? []).filter(({ amount }) => amount > 0)
  return {
    amount: sum(lines.map(amountOf)),
    tax: sum(taxes.map(({ amount }) => amount)),
    period: lines[0]?.period ?? { start: 0, end: 0 },
    behaviors: taxes.map(({ tax_behavior: behavior }) => behavior),
  }
}

/** Returns whether a cost differs from the one before it. */
function isChange({ amount, tax }: PeriodCost, position: number, costs: readonly PeriodCost[]): boolean {
  const before = costs[position - 1]
  return before === undefined || before.amount !== amount || before.tax !== tax
}

function taxBehaviorOf(costs: readonly PeriodCost[]): Renewal['taxBehavior'] {
  const behaviors = new Set(costs.flatMap((cost) => cost.behaviors))
  if (behaviors.has('exclusive')) return 'exclusive'
  return behaviors.has('inclusive') ? 'inclusive' : null
}

function isOfPeriod({ parent }: Stripe.InvoiceLineItem): boolean {
  return parent?.subscription_item_details?.proration === false
}

/** Returns what a line charges, with discounts and tax. */
function amountOf({ amount, discount_amounts: discounts, taxes }: Stripe.InvoiceLineItem): number {
  const added = (taxes ?? []).filter(({ tax_behavior: behavior }) => behavior === 'exclusive')
  return amount - sum((discounts ?? []).map((one) => one.amount)) + sum(added.map((one) => one.amount))
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

function priceOf({ pricing }: Stripe.InvoiceLineItem): string | null {
  const price = pricing?.price_details?.price
  return price === undefined ? null : idOf(price)
}
