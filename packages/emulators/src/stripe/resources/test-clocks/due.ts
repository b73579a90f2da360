import type { Store } from '../../store/store.ts'
import { draftSeconds } from '../billing/advance-invoice.ts'
import { draftInvoice, itemAfter, voidInvoice } from '../billing/invoice.rules.ts'
import { periodLine } from '../billing/invoice-lines.ts'
import { tryInvoice } from '../billing/pay-invoice.ts'
import { hasEnded, type SubscriptionRecord, updateSubscription } from '../billing/subscription.ts'
import { enterNextPhase } from '../billing/subscription-schedule.endpoints.ts'
import { nextPeriod } from '../billing/subscription-schedule.ts'
import { endSubscription } from '../billing/subscription-status.ts'
import { billedDiscounts, removeCustomerDiscount } from '../customers/customer-discount.ts'
import type { DiscountRecord } from '../products/discount.ts'

const incompleteSeconds = 23 * 3_600

/** A due step of a subscription. Of two at the same time, the lower rank runs first. */
type Due = { at: number; rank: number; run(): void }

/** Runs everything due until `until` on a test clock (null: the wall clock), in order and each at its own time. */
export function runDue(store: Store, testClockId: string | null, until: number): void {
  const advancing = store
    .of('subscription')
    .list((one) => one.testClockId === testClockId && (!hasEnded(one) || collectedOf(store, one).length > 0))
  const next = () =>
    advancing
      .flatMap(({ id }) => duesOf(store, id))
      .filter(({ at }) => at <= until)
      .toSorted((one, other) => one.at - other.at || one.rank - other.rank)[0]
  for (let due = next(); due; due = next()) store.at(due.at, testClockId, due.run)
}

/** Returns the due steps of a subscription, its schedule and its invoices. */
function duesOf(store: Store, id: string): Due[] {
  const subscription = store.of('subscription').get(id)
  const { status, created, trialEnd, cancelAt, discounts, item, scheduleId } = subscription
  if (hasEnded(subscription)) return collectedOf(store, subscription)
  if (status === 'incomplete')
    return [{ at: created + incompleteSeconds, rank: 1, run: () => expire(store, id) }]
  const schedule = scheduleId ? store.of('schedule').get(scheduleId) : undefined
  const phaseEnd = schedule?.phases[schedule.phaseIndex]?.endDate
  const dues: Due[] = []
  if (schedule && phaseEnd !== undefined)
    dues.push({ at: phaseEnd, rank: 0, run: () => enterNextPhase(store, schedule.id) })
  if (cancelAt !== null) {
    const reason = 'cancellation_requested'
    dues.push({ at: cancelAt, rank: 1, run: () => endSubscription(store, id, reason) })
  }
  for (const { end } of [...discounts, ...(item.discounts ?? [])])
    if (end !== null) dues.push({ at: end, rank: 2, run: () => endDiscounts(store, id) })
  const customer = store.of('customer').get(subscription.customerId)
  const discountEnd = customer.discount?.end ?? null
  if (discountEnd !== null)
    dues.push({ at: discountEnd, rank: 2, run: () => removeCustomerDiscount(store, customer) })
  if (status === 'trialing' && trialEnd !== null)
    dues.push({ at: trialEnd, rank: 3, run: () => renew(store, id, { status: 'active' }) })
  else dues.push({ at: item.currentPeriodEnd, rank: 3, run: () => renew(store, id, {}) })
  return [...dues, ...collectedOf(store, subscription)]
}

/** Returns the finalizations of drafts and the retries of open invoices. */
function collectedOf(store: Store, { id, customerId }: SubscriptionRecord): Due[] {
  const invoices = store.of('invoice').ofCustomer(customerId, (one) => one.subscriptionId === id)
  return invoices.flatMap(({ id: invoiceId, status, finalizesAt, nextPaymentAttempt }) => {
    const at = status === 'draft' ? finalizesAt : status === 'open' ? nextPaymentAttempt : null
    const run = () => void tryInvoice(store, invoiceId, { isScheduled: true })
    return at == null ? [] : [{ at, rank: 4, run }]
  })
}

/** Expires a subscription whose first invoice was not paid in time. */
function expire(store: Store, id: string) {
  const { latestInvoiceId, testClockId } = store.of('subscription').get(id)
  if (latestInvoiceId && store.of('invoice').get(latestInvoiceId).status === 'open') {
    voidInvoice(store, latestInvoiceId)
  }
  const endedAt = store.now(testClockId)
  updateSubscription(store, id, { status: 'incomplete_expired', endedAt, canceledAt: endedAt })
}

function endDiscounts(store: Store, id: string) {
  const { discounts, item, testClockId } = store.of('subscription').get(id)
  const now = store.now(testClockId)
  const active = (all: DiscountRecord[]) => all.filter(({ end }) => end === null || end > now)
  updateSubscription(store, id, {
    discounts: active(discounts),
    item: { ...item, discounts: active(item.discounts ?? []) },
  })
}

/** Starts the next billing period with a draft invoice. That of an unpaid or paused subscription stays a draft. */
function renew(store: Store, id: string, patch: Partial<SubscriptionRecord>) {
  const subscription = store.of('subscription').get(id)
  const at = store.now(subscription.testClockId)
  const { item, billingCycleAnchor } = nextPeriod(store, subscription, at)
  const { status, pausedCollection: paused } = subscription
  const pausedCollection = paused != null && (paused.resumesAt ?? at + 1) > at ? paused : null
  const isHeld = status === 'unpaid' || pausedCollection !== null
  const invoice = draftInvoice(store, {
    subscription,
    billingReason: 'subscription_cycle',
    lines: [periodLine(store, subscription, item)],
    discounts: billedDiscounts(store, subscription),
    period: { start: subscription.item.currentPeriodStart, end: at },
    autoAdvance: !isHeld,
    finalizesAt: isHeld ? null : at + draftSeconds,
  })
  updateSubscription(store, id, {
    ...patch,
    item: itemAfter(store, item, invoice),
    billingCycleAnchor,
    pausedCollection,
    latestInvoiceId: invoice.id,
  })
}
