import type Stripe from 'stripe'
import {
  type CancelReason,
  type Invoice,
  type OwnSales,
  type Subscription,
  type SubscriptionStatus,
  subscriptionStatuses,
} from '#integrations/payments/payment-gateway.ts'
import { sha256 } from '#platform/ids.ts'
import { idOf, instantOf } from '../client/client.ts'

/** The comment that marks the cancellation of a disputed subscription. */
export const disputedComment = 'payment_disputed'

/** The fields that Stripe must expand. */
export const expandedParts = ['latest_invoice', 'schedule', 'customer']

/** Maps a subscription with its {@link expandedParts}. Open invoices come newest first. */
export function toSubscription(
  subscription: Stripe.Subscription,
  own: OwnSales,
  openInvoices: readonly Stripe.Invoice[] = [],
): Subscription {
  const { id, customer, metadata, created, cancel_at: endsAt, ended_at: endedAt } = subscription
  const item = itemOf(subscription, own)
  const { price, quantity = 1 } = item
  const oldest = openInvoices.at(-1)
  return {
    id,
    customerId: idOf(customer),
    status: statusOf(subscription),
    createdAt: instantOf(created),
    appId: metadata.app ?? null,
    memberId: metadata.member ?? null,
    itemId: item.id,
    productId: idOf(price.product),
    isShared: isShared(subscription, own),
    priceId: price.id,
    price: {
      amount: (price.unit_amount ?? 0) * quantity,
      currency: price.currency,
      interval: intervalOf(price),
    },
    periodStartsAt: instantOf(item.current_period_start),
    periodEndsAt: instantOf(item.current_period_end),
    endsAt: endOf(subscription, item, endsAt),
    endedAt: endedAt === null ? null : instantOf(endedAt),
    cancelReason: cancelReasonOf(subscription),
    schedule: scheduleOf(subscription, item),
    latestInvoice: invoiceOf(subscription, openInvoices),
    unpaidSince: oldest === undefined ? null : instantOf(oldest.created),
    adjustedBy: adjustmentOf(subscription, item),
    isCollectionPaused: isRenewalPaused(subscription, item),
    hasOwnCard: subscription.default_payment_method !== null,
  }
}

/** Returns whether a subscription is for one of our plans, by product: a merchant may copy our metadata. */
export function isOwn({ items }: Stripe.Subscription, own: OwnSales): boolean {
  return items.data.some((item) => isOwnItem(item, own))
}

/** Returns whether a checkout with its `line_items` sells one of our plans. */
export function isOwnCheckout({ line_items: items }: Stripe.Checkout.Session, own: OwnSales): boolean {
  return items?.data.some(({ price }) => price !== null && own.productIds.has(idOf(price.product))) ?? false
}

/** Returns whether a subscription also has items of other products. */
export function isShared({ items: { data } }: Stripe.Subscription, own: OwnSales): boolean {
  return data.length > 1 && !data.every((item) => isOwnItem(item, own))
}

function isOwnItem({ price }: Stripe.SubscriptionItem, { productIds }: OwnSales): boolean {
  return productIds.has(idOf(price.product))
}

/** Returns our item, of which a subscription has one. */
export function itemOf({ id, items }: Stripe.Subscription, own?: OwnSales): Stripe.SubscriptionItem {
  const item = items.data.find((one) => own && isOwnItem(one, own)) ?? items.data[0]
  if (!item) throw new Error(`The subscription ${id} has no item`)
  return item
}

/** Returns null for an interval that we don't sell. */
export function intervalOf({ recurring }: Stripe.Price): 'monthly' | 'yearly' | null {
  if (recurring?.interval_count !== 1) return null
  if (recurring.interval === 'month') return 'monthly'
  return recurring.interval === 'year' ? 'yearly' : null
}

/** Returns the phase after the current one. */
export function nextPhaseOf({
  current_phase: current,
  phases,
}: Stripe.SubscriptionSchedule): Stripe.SubscriptionSchedule.Phase | undefined {
  return current ? phases.find(({ start_date: start }) => start >= current.end_date) : undefined
}

/** Returns the phase that begins with the next renewal, of an expanded schedule. A later one changes that renewal nothing. */
export function phaseAtRenewal(
  { schedule }: Pick<Stripe.Subscription, 'schedule'>,
  { current_period_end: renewsAt }: Stripe.SubscriptionItem,
): Stripe.SubscriptionSchedule.Phase | undefined {
  const next = schedule === null || typeof schedule === 'string' ? undefined : nextPhaseOf(schedule)
  return next !== undefined && next.start_date <= renewsAt ? next : undefined
}

function statusOf({ id, status }: Stripe.Subscription): SubscriptionStatus {
  const known = subscriptionStatuses.find((one) => one === status)
  if (!known) throw new Error(`The subscription ${id} has an unknown status`)
  return known
}

function endOf(
  { cancel_at_period_end: endsWithPeriod }: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  endsAt: number | null,
): Date | null {
  if (endsAt !== null) return instantOf(endsAt)
  return endsWithPeriod ? instantOf(item.current_period_end) : null
}

/** A pause that ends before the next renewal changes nothing: Stripe pauses what is invoiced before `resumes_at`. */
function isRenewalPaused({ pause_collection: pause }: Stripe.Subscription, item: Stripe.SubscriptionItem) {
  return pause !== null && (pause.resumes_at ?? Number.POSITIVE_INFINITY) > item.current_period_end
}

/** The API accepts a comment with a cancellation, but no reason. */
function cancelReasonOf({ cancellation_details: details }: Stripe.Subscription): CancelReason | null {
  if (details?.comment === disputedComment || details?.reason === 'payment_disputed')
    return 'payment_disputed'
  return details?.reason === 'payment_failed' ? 'payment_failed' : null
}

function scheduleOf(
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
): Subscription['schedule'] {
  if (subscription.schedule === null) return null
  const price = phaseAtRenewal(subscription, item)?.items[0]?.price
  return { id: idOf(subscription.schedule), nextPriceId: price === undefined ? null : idOf(price) }
}

/** An open invoice comes before the draft of a newer period, which can't be paid yet. */
function invoiceOf(
  { latest_invoice: latest }: Stripe.Subscription,
  [newestOpen]: readonly Stripe.Invoice[],
): Invoice | null {
  if (latest === null || typeof latest === 'string') return null
  const invoice = latest.status === 'draft' ? (newestOpen ?? latest) : latest
  const { id, status, status_transitions: times } = invoice
  const isPaid = status === 'paid'
  return {
    id,
    isPaid,
    amount: isPaid ? invoice.amount_paid : invoice.amount_due,
    currency: invoice.currency,
    createdAt: instantOf(invoice.created),
    paidAt: times.paid_at === null ? null : instantOf(times.paid_at),
    priceIds: invoice.lines.data.flatMap(chargedPriceOf),
    url: invoice.hosted_invoice_url ?? null,
  }
}

function chargedPriceOf({ amount, pricing }: Stripe.InvoiceLineItem): string[] {
  const price = pricing?.price_details?.price
  return price === undefined || amount < 0 ? [] : [idOf(price)]
}

/** Returns a fingerprint of discounts, tax and a scheduled quantity; null if the list price of one is charged. */
function adjustmentOf(subscription: Stripe.Subscription, item: Stripe.SubscriptionItem): string | null {
  const { automatic_tax: tax, default_tax_rates: rates, status } = subscription
  const customer = customerOf(subscription)
  const next = phaseAtRenewal(subscription, item)
  const own = [...subscription.discounts, ...(item.discounts ?? [])].map(idOf)
  const counted = subscription.discounts.length === 0 && customer?.discount ? [customer.discount.id] : []
  const scheduled = [next?.discounts, ...(next?.items ?? []).map((one) => one.discounts)]
  const discounts = [...own, ...counted, ...scheduled.flatMap((all) => (all ?? []).flatMap(namesOf))]
  const rateIds = [...(rates ?? []), ...(item.tax_rates ?? [])].map(idOf)
  const nextPrices = next?.items.map(({ price, quantity = 1 }) => [idOf(price), quantity] as const)
  const isForMore = nextPrices?.some(([price, count]) => count !== quantityAt(price, item)) ?? false
  if (discounts.length + rateIds.length === 0 && !tax.enabled && !isForMore) return null
  const { address, tax_exempt: exempt } = customer ?? {}
  const place = tax.enabled ? [address?.country, address?.state, address?.postal_code, exempt] : []
  return sha256(JSON.stringify([discounts, rateIds, place, item.price.id, nextPrices, status]))
}

/** Returns how many of a price are charged as far as the item and the list price tell. */
function quantityAt(priceId: string, { price, quantity = 1 }: Stripe.SubscriptionItem): number {
  return price.id === priceId ? quantity : 1
}

/** Returns what a phase's discount names: an existing discount, or the coupon or promotion code of a new one. */
function namesOf({
  discount,
  coupon,
  promotion_code: code,
}: Stripe.SubscriptionSchedule.Phase.Discount): string[] {
  return [discount, coupon, code].flatMap((one) => (one === null ? [] : [idOf(one)]))
}

function customerOf({ customer }: Stripe.Subscription): Stripe.Customer | undefined {
  return typeof customer === 'string' || customer.deleted ? undefined : customer
}
