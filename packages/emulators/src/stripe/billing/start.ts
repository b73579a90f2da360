import { invalid } from '../errors.ts'
import type { InvoiceRecord, SubscriptionItemRecord, SubscriptionRecord } from '../records.ts'
import { toWireSubscription } from '../wire/subscription.ts'
import type { World } from '../world.ts'
import { cardAnswer, faultOfAnswer } from './charging.ts'
import { type DiscountWish, discountsOf } from './discount-wishes.ts'
import { composeInvoice, draftInvoice, finalizeInvoice, type InvoiceInput, waitingItems } from './invoices.ts'
import { onceLine, periodLine } from './lines.ts'
import { payingCardId, tryInvoice } from './paying.ts'
import { daySeconds, nextPeriodEnd } from './periods.ts'
import { recurringOf, requireOneKind, requirePrice } from './price-rules.ts'
import { tellOfDiscounts } from './subscription-changes.ts'

export type PaymentBehaviour =
  | 'allow_incomplete'
  | 'default_incomplete'
  | 'error_if_incomplete'
  | 'pending_if_incomplete'

type NewSubscription = {
  customerId: string
  items: { priceId: string; quantity?: number | undefined; metadata?: Record<string, string> | undefined }[]
  /** What the first invoice charges besides, once. */
  onceItems?: { priceId: string; quantity: number }[] | undefined
  discounts?: DiscountWish[] | undefined
  trialEnd?: number | 'now' | null | undefined
  trialPeriodDays?: number | null | undefined
  trialEndBehaviour?: SubscriptionRecord['trialEndBehaviour'] | undefined
  metadata?: Record<string, string> | undefined
  description?: string | null | undefined
  defaultPaymentMethodId?: string | null | undefined
  /** `allow_incomplete` when not said. */
  paymentBehavior?: PaymentBehaviour | undefined
  cancelAtPeriodEnd?: boolean | undefined
  cancelAt?: number | undefined
  savesDefaultPaymentMethod?: boolean | undefined
  /**
   * Agreed on earlier, and nobody is there to be told now: archived prices are good, coupons that have run out are left
   * out, and without a card it waits for one.
   */
  isUnattended?: boolean | undefined
  /** The card's holder has just proved to be the holder. */
  isAuthenticated?: boolean | undefined
}

/**
 * Begins a subscription: its first invoice is made and charged, or nothing is for a trial. A card that says no leaves
 * it `incomplete`, unless `error_if_incomplete` has its refusal thrown with nothing made.
 */
export function startSubscription(world: World, input: NewSubscription): SubscriptionRecord {
  const { subscription: composed, first } = compose(world, input, { isPreview: false })
  const behaviour = input.paymentBehavior ?? 'allow_incomplete'
  if (behaviour !== 'default_incomplete' && !input.isUnattended) {
    requirePayable(world, composed, first, { ...input, isStrict: behaviour === 'error_if_incomplete' })
  }
  const subscription = world.of('subscription').put({
    ...composed,
    discounts: wantedDiscounts(world, input, { isPreview: false }),
  })
  world.emit('customer.subscription.created', toWireSubscription(world, subscription), {
    testClockId: subscription.testClockId,
  })
  tellOfDiscounts(world, { discounts: [] }, subscription)
  const invoice = draftInvoice(world, { ...first, discounts: subscription.discounts })
  const isPaidLater =
    behaviour === 'default_incomplete' && finalizeInvoice(world, invoice.id).status === 'open'
  if (!isPaidLater) tryInvoice(world, invoice.id, { isAuthenticated: input.isAuthenticated ?? false })
  return world.of('subscription').get(subscription.id)
}

/** The first invoice of a subscription that is not begun. */
export function previewStart(world: World, input: NewSubscription): InvoiceRecord {
  const { first } = compose(world, input, { isPreview: true })
  const waiting = waitingItems(world, { customerId: input.customerId, subscriptionId: null })
  return composeInvoice(world, world.newId('upcoming_in'), {
    ...first,
    lines: [...waiting.map(({ line }) => line), ...first.lines],
  })
}

function compose(world: World, input: NewSubscription, { isPreview }: { isPreview: boolean }) {
  const customer = world.of('customer').get(input.customerId, 'customer')
  const { testClockId } = customer
  const now = world.now(testClockId)
  if (input.items.length === 0) {
    throw invalid('Missing required param: items.', { code: 'parameter_missing', param: 'items' })
  }
  for (const [index, { priceId }] of input.items.entries()) {
    requirePrice(world, priceId, `items[${index}][price]`, input.isUnattended ? input.items : [])
  }
  requireOneKind(world, input.items)
  if (input.defaultPaymentMethodId) requireOwnCard(world, input.defaultPaymentMethodId, customer.id)
  const trialEnd = trialEndOf(input, now)
  const end = trialEnd ?? nextPeriodEnd(now, now, recurringOf(world, input.items))
  const cancelAt = input.cancelAtPeriodEnd ? end : (input.cancelAt ?? null)
  const items: SubscriptionItemRecord[] = input.items.map(({ priceId, quantity, metadata }) => ({
    id: world.newId('si'),
    created: now,
    metadata: metadata ?? {},
    priceId,
    quantity: quantity ?? 1,
    currentPeriodStart: now,
    currentPeriodEnd: end,
  }))
  const invoiceId = world.newId('in')
  const subscription: SubscriptionRecord = {
    id: world.newId('sub'),
    created: now,
    metadata: input.metadata ?? {},
    customerId: customer.id,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    items,
    discounts: [],
    defaultPaymentMethodId: input.defaultPaymentMethodId ?? null,
    billingCycleAnchor: trialEnd ?? now,
    startDate: now,
    trialStart: trialEnd === null ? null : now,
    trialEnd,
    trialEndBehaviour: input.trialEndBehaviour ?? 'create_invoice',
    cancelAtPeriodEnd: input.cancelAtPeriodEnd ?? false,
    cancelAt,
    canceledAt: cancelAt === null ? null : now,
    endedAt: null,
    cancellation: {
      comment: null,
      feedback: null,
      reason: cancelAt === null ? null : 'cancellation_requested',
    },
    latestInvoiceId: invoiceId,
    pauseCollection: null,
    scheduleId: null,
    description: input.description ?? null,
    testClockId,
    savesDefaultPaymentMethod: input.savesDefaultPaymentMethod ?? false,
    trialEndAnnounced: false,
    pendingUpdate: null,
  }
  const [{ priceId: firstPriceId } = { priceId: '' }] = items
  const first: InvoiceInput = {
    id: invoiceId,
    customerId: customer.id,
    subscriptionId: subscription.id,
    billingReason: 'subscription_create',
    currency: world.of('price').get(firstPriceId).currency,
    lines: [
      ...items.map((item) => periodLine(world, subscription, item, { isTrial: trialEnd !== null })),
      ...(input.onceItems ?? []).map(({ priceId, quantity }) =>
        onceLine(world, subscription, world.of('price').get(priceId, 'add_invoice_items'), quantity),
      ),
    ],
    discounts: isPreview ? wantedDiscounts(world, input, { isPreview }) : [],
    period: { start: now, end: now },
  }
  return { subscription, first }
}

function wantedDiscounts(world: World, input: NewSubscription, { isPreview }: { isPreview: boolean }) {
  const { testClockId } = world.of('customer').get(input.customerId)
  return discountsOf(world, input.discounts ?? [], {
    customerId: input.customerId,
    priceIds: input.items.map(({ priceId }) => priceId),
    testClockId,
    isPreview,
    isLenient: input.isUnattended ?? false,
  })
}

/** Without a card nothing begins; with `isStrict`, nor with one that says no. Nothing is made before this is known. */
function requirePayable(
  world: World,
  subscription: SubscriptionRecord,
  first: InvoiceInput,
  input: NewSubscription & { isStrict: boolean },
) {
  const discounts = wantedDiscounts(world, input, { isPreview: true })
  const waiting = waitingItems(world, first).map(({ line }) => line)
  const lines = [...waiting, ...first.lines]
  const { amountDue } = composeInvoice(world, '', { ...first, lines, discounts })
  if (amountDue === 0) return
  const cardId =
    subscription.defaultPaymentMethodId ??
    payingCardId(world, { customerId: subscription.customerId, subscriptionId: null })
  if (!cardId) throw noCard()
  if (!input.isStrict) return
  const answer = cardAnswer(world, world.of('paymentMethod').get(cardId), input.isAuthenticated ?? false)
  const fault = faultOfAnswer(answer)
  if (fault) throw fault
}

/** What Stripe says when there is nothing to charge. */
export function noCard() {
  return invalid(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.',
    { code: 'resource_missing' },
  )
}

/** A card that belongs to this customer. */
export function requireOwnCard(world: World, id: string, customerId: string): void {
  const card = world.of('paymentMethod').get(id, 'default_payment_method')
  if (card.customerId === customerId) return
  throw invalid(
    `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
    { code: 'resource_missing', param: 'default_payment_method' },
  )
}

function trialEndOf({ trialEnd, trialPeriodDays }: NewSubscription, now: number): number | null {
  if (trialEnd === 'now') return null
  if (typeof trialEnd === 'number') {
    if (trialEnd > now) return trialEnd
    throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', {
      param: 'trial_end',
    })
  }
  return trialPeriodDays ? now + trialPeriodDays * daySeconds : null
}
