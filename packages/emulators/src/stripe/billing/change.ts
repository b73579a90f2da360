import { invalid } from '../errors.ts'
import { changeMetadata } from '../params.ts'
import type { InvoiceRecord, Metadata, SubscriptionItemRecord, SubscriptionRecord } from '../records.ts'
import { toWireInvoiceItem } from '../wire/invoice.ts'
import { toWireSubscription } from '../wire/subscription.ts'
import type { World } from '../world.ts'
import { cardAnswer, faultOfAnswer } from './charging.ts'
import { type DiscountWish, discountsOf } from './discount-wishes.ts'
import { composeInvoice, draftInvoice, finalizeInvoice, type InvoiceInput, waitingItems } from './invoices.ts'
import { periodLine } from './lines.ts'
import { payingCardId, tryInvoice } from './paying.ts'
import { nextPeriodEnd } from './periods.ts'
import { type BillingChange, type ChangePlan, planChange } from './planning.ts'
import { recurringOf } from './price-rules.ts'
import { itemsAtPeriodEnd } from './schedule-phases.ts'
import { noCard, type PaymentBehaviour, requireOwnCard } from './start.ts'
import { updateSubscription } from './subscription-changes.ts'

/** What a subscription can be changed to; what is left out stays. Null unsets. */
export type SubscriptionChange = BillingChange & {
  paymentBehavior?: PaymentBehaviour | undefined
  cancelAtPeriodEnd?: boolean | undefined
  cancelAt?: number | 'min_period_end' | 'max_period_end' | null | undefined
  cancellation?: { comment?: string | null | undefined; feedback?: string | null | undefined } | undefined
  discounts?: DiscountWish[] | null | undefined
  defaultPaymentMethodId?: string | null | undefined
  metadata?: Metadata | null | undefined
  description?: string | null | undefined
  pauseCollection?: SubscriptionRecord['pauseCollection'] | undefined
  trialEndBehaviour?: SubscriptionRecord['trialEndBehaviour'] | undefined
  savesDefaultPaymentMethod?: boolean | undefined
}

/**
 * Changes a subscription. What the change costs now is invoiced and charged; a card that says no leaves the
 * subscription past due, or as `paymentBehavior` has it. Throws Stripe's refusals.
 */
export function changeSubscription(world: World, id: string, change: SubscriptionChange): SubscriptionRecord {
  const before = world.of('subscription').get(id)
  refuseEnded(before, change)
  const plan = planChange(world, before, change)
  const patch = {
    ...plainPatch(world, before, change),
    ...cancellationPatch(before, plan, change, world.now(before.testClockId)),
  }
  const behaviour = change.paymentBehavior ?? 'allow_incomplete'
  if (plan.isInvoicedNow && behaviour === 'error_if_incomplete') requirePaid(world, before, plan)
  const discounts = change.discounts === undefined ? before.discounts : discountsAfter(world, before, change)
  const { items, billingCycleAnchor, status, trialStart, trialEnd } = plan
  const billed = { items, billingCycleAnchor, status, trialStart, trialEnd, discounts }

  if (!plan.isInvoicedNow) {
    keepProrations(world, before, plan)
    return updateSubscription(world, id, { ...patch, ...billed })
  }
  keepProrations(world, before, plan)
  const invoice = draftInvoice(world, { ...invoiceOf(world, before, plan), discounts })
  if (behaviour === 'pending_if_incomplete') {
    return changeWhenPaid(world, before, invoice, { items, billingCycleAnchor, discounts })
  }
  updateSubscription(world, id, { ...patch, ...billed, latestInvoiceId: invoice.id })
  if (behaviour === 'default_incomplete') {
    const open = finalizeInvoice(world, invoice.id)
    if (open.status === 'open') updateSubscription(world, id, { status: 'past_due' })
  } else {
    tryInvoice(world, invoice.id)
  }
  return world.of('subscription').get(id)
}

/**
 * The invoice that a change would lead to: the one made with the change, or else the next one at the period's end.
 * Nothing is kept. Throws `invoice_upcoming_none` when no invoice follows.
 */
export function previewChange(world: World, id: string, change: SubscriptionChange = {}): InvoiceRecord {
  const before = world.of('subscription').get(id, 'subscription')
  const { customerId } = before
  if (before.status === 'canceled' || before.status === 'incomplete_expired') throw noUpcoming(customerId)
  const plan = planChange(world, before, change)
  const discounts =
    change.discounts === undefined
      ? before.discounts
      : discountsAfter(world, before, change, { isPreview: true })
  const waiting = waitingItems(world, { customerId, subscriptionId: id }).map(({ line }) => line)
  const input = invoiceOf(world, before, plan)
  const previewId = world.newId('upcoming_in')
  if (plan.isInvoicedNow) {
    const lines = [...waiting, ...plan.prorations, ...input.lines]
    return composeInvoice(world, previewId, { ...input, lines, discounts })
  }
  const now = world.now(before.testClockId)
  const { cancelAt } = { ...before, ...cancellationPatch(before, plan, change, now) }
  const end = periodEndOf(plan.items)
  const lines = [...waiting, ...plan.prorations]
  if (cancelAt !== null && cancelAt <= end) {
    if (lines.length === 0) throw noUpcoming(customerId)
  } else {
    const after = { ...before, items: plan.items, billingCycleAnchor: plan.billingCycleAnchor }
    lines.push(...nextPeriodItems(world, after, end).items.map((item) => periodLine(world, before, item)))
  }
  const period = { start: periodStartOf(plan.items), end }
  return world.at(end, before.testClockId, () =>
    composeInvoice(world, previewId, { ...input, billingReason: 'upcoming', lines, discounts, period }),
  )
}

/** The items in the billing period that begins at `at`, with what a schedule has made of them by then. */
export function nextPeriodItems(
  world: World,
  subscription: SubscriptionRecord,
  at: number,
): { items: SubscriptionItemRecord[]; billingCycleAnchor: number } {
  const { items, billingCycleAnchor } = itemsAtPeriodEnd(world, subscription, at)
  const end = nextPeriodEnd(billingCycleAnchor, at, recurringOf(world, items))
  return {
    billingCycleAnchor,
    items: items.map((item) => ({ ...item, currentPeriodStart: at, currentPeriodEnd: end })),
  }
}

export function periodEndOf(items: SubscriptionItemRecord[]): number {
  return Math.min(...items.map(({ currentPeriodEnd }) => currentPeriodEnd))
}

function periodStartOf(items: SubscriptionItemRecord[]) {
  return Math.min(...items.map(({ currentPeriodStart }) => currentPeriodStart))
}

/** Lines that wait for the next invoice, which is told of one by one. */
export function keepProrations(
  world: World,
  { id, customerId, testClockId, metadata }: SubscriptionRecord,
  { prorations }: Pick<ChangePlan, 'prorations'>,
): void {
  for (const line of prorations) {
    const itemId = world.newId('ii')
    const item = world.of('invoiceItem').put({
      id: itemId,
      created: world.now(testClockId),
      metadata,
      customerId,
      subscriptionId: id,
      currency: world.of('price').get(line.priceId ?? '').currency,
      line: { ...line, invoiceItemId: itemId },
      invoiceId: null,
      deleted: false,
    })
    world.emit('invoiceitem.created', toWireInvoiceItem(world, item), { testClockId })
  }
}

function invoiceOf(world: World, subscription: SubscriptionRecord, plan: ChangePlan): InvoiceInput {
  const now = world.now(subscription.testClockId)
  const [first] = plan.items
  return {
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
    billingReason: 'subscription_update',
    currency: world.of('price').get(first?.priceId ?? '').currency,
    lines: plan.periods,
    discounts: subscription.discounts,
    period: { start: now, end: now },
  }
}

/** Nothing is changed if the card would say no now. */
function requirePaid(world: World, subscription: SubscriptionRecord, plan: ChangePlan) {
  const input = invoiceOf(world, subscription, plan)
  const waiting = waitingItems(world, input).map(({ line }) => line)
  const lines = [...waiting, ...plan.prorations, ...input.lines]
  if (composeInvoice(world, '', { ...input, lines }).amountDue === 0) return
  const cardId = payingCardId(world, { customerId: subscription.customerId, subscriptionId: subscription.id })
  if (!cardId) throw noCard()
  const fault = faultOfAnswer(cardAnswer(world, world.of('paymentMethod').get(cardId), false))
  if (fault) throw fault
}

const pendingSeconds = 23 * 3_600

function changeWhenPaid(
  world: World,
  before: SubscriptionRecord,
  invoice: InvoiceRecord,
  next: Pick<NonNullable<SubscriptionRecord['pendingUpdate']>, 'items' | 'billingCycleAnchor' | 'discounts'>,
): SubscriptionRecord {
  const expiresAt = world.now(before.testClockId) + pendingSeconds
  const pendingUpdate = { ...next, expiresAt, invoiceId: invoice.id }
  // Told of only if the payment fails, for else it is over at once.
  world.of('subscription').put({ ...before, latestInvoiceId: invoice.id, pendingUpdate })
  const { answer } = tryInvoice(world, invoice.id)
  const after = world.of('subscription').get(before.id)
  if (answer.kind !== 'paid') {
    world.emit('customer.subscription.updated', toWireSubscription(world, after), {
      previous: { latest_invoice: before.latestInvoiceId, pending_update: null },
      testClockId: after.testClockId,
    })
  }
  return after
}

function plainPatch(
  world: World,
  before: SubscriptionRecord,
  change: SubscriptionChange,
): Partial<SubscriptionRecord> {
  const { metadata, description, defaultPaymentMethodId, pauseCollection, cancellation } = change
  const { trialEndBehaviour, savesDefaultPaymentMethod } = change
  if (defaultPaymentMethodId) requireOwnCard(world, defaultPaymentMethodId, before.customerId)
  return {
    ...(metadata === undefined ? {} : { metadata: changeMetadata(before.metadata, metadata) }),
    ...(description === undefined ? {} : { description }),
    ...(defaultPaymentMethodId === undefined ? {} : { defaultPaymentMethodId }),
    ...(pauseCollection === undefined ? {} : { pauseCollection }),
    ...(trialEndBehaviour === undefined ? {} : { trialEndBehaviour }),
    ...(savesDefaultPaymentMethod === undefined ? {} : { savesDefaultPaymentMethod }),
    ...(cancellation === undefined
      ? {}
      : {
          cancellation: {
            ...before.cancellation,
            ...(cancellation.comment === undefined ? {} : { comment: cancellation.comment }),
            ...(cancellation.feedback === undefined ? {} : { feedback: cancellation.feedback }),
          },
        }),
  }
}

/** When the subscription is to end: at the period's end, at a moment, or not any more. */
function cancellationPatch(
  before: SubscriptionRecord,
  { items }: ChangePlan,
  { cancelAtPeriodEnd, cancelAt, cancellation }: SubscriptionChange,
  now: number,
): Partial<SubscriptionRecord> {
  const said = {
    comment: cancellation?.comment ?? before.cancellation.comment,
    feedback: cancellation?.feedback ?? before.cancellation.feedback,
  }
  const ending = (at: number, isAtPeriodEnd: boolean) => ({
    cancelAtPeriodEnd: isAtPeriodEnd,
    cancelAt: at,
    canceledAt: before.canceledAt ?? now,
    cancellation: { ...said, reason: 'cancellation_requested' },
  })
  const ends = items.map(({ currentPeriodEnd }) => currentPeriodEnd)
  if (cancelAtPeriodEnd === true) return ending(Math.max(...ends), true)
  if (cancelAt === 'min_period_end') return ending(Math.min(...ends), false)
  if (cancelAt === 'max_period_end') return ending(Math.max(...ends), false)
  if (typeof cancelAt === 'number') {
    if (cancelAt > now) return ending(cancelAt, false)
    throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', {
      param: 'cancel_at',
    })
  }
  const isTakenBack = cancelAtPeriodEnd === false || cancelAt === null
  if (!isTakenBack) {
    // A period that ends at another time than before moves an end that was bound to it.
    return before.cancelAtPeriodEnd ? { cancelAt: Math.max(...ends) } : {}
  }
  return {
    cancelAtPeriodEnd: false,
    cancelAt: null,
    canceledAt: null,
    cancellation: { comment: null, feedback: null, reason: null },
  }
}

function discountsAfter(
  world: World,
  before: SubscriptionRecord,
  { discounts }: SubscriptionChange,
  { isPreview = false }: { isPreview?: boolean } = {},
) {
  return discountsOf(world, discounts ?? [], {
    current: before.discounts,
    customerId: before.customerId,
    priceIds: before.items.map(({ priceId }) => priceId),
    testClockId: before.testClockId,
    isPreview,
  })
}

function refuseEnded({ status }: SubscriptionRecord, change: SubscriptionChange) {
  const { metadata: _metadata, cancellation: _cancellation, ...rest } = change
  const isMore = Object.values(rest).some((value) => value !== undefined)
  if (status === 'canceled' && isMore) {
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.')
  }
  if (status === 'incomplete_expired' && isMore) {
    throw invalid('This subscription has expired and cannot be updated.')
  }
  const isBilled = change.items !== undefined || change.trialEnd !== undefined
  if (status === 'incomplete' && isBilled) {
    throw invalid('This subscription cannot be changed before its first invoice has been paid.')
  }
}

function noUpcoming(customerId: string) {
  return invalid(`No upcoming invoices for customer: ${customerId}`, {
    code: 'invoice_upcoming_none',
    status: 404,
  })
}
