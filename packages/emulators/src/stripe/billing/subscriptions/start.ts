import { invalid, parameterMissing } from '../../protocol/errors.ts'
import type { InvoiceRecord } from '../../records/invoice.ts'
import type { SubscriptionItemRecord, SubscriptionRecord } from '../../records/subscription.ts'
import { daySeconds, nextPeriodEnd } from '../../rules/periods.ts'
import { recurringOf, requireOneKind, requirePrice } from '../../rules/price-rules.ts'
import { toWireSubscription } from '../../wire/subscription.ts'
import type { World } from '../../world/world.ts'
import { cardAnswer, faultOfAnswer } from '../cards/charging.ts'
import { noCard, payingCardId, requireOwnCard } from '../cards/paying-card.ts'
import { composeInvoice, draftInvoice, finalizeInvoice, type InvoiceInput } from '../invoices/invoices.ts'
import { onceLine, periodLine } from '../invoices/lines.ts'
import { waitingItems } from '../invoices/waiting-items.ts'
import { tryInvoice } from '../payments/paying.ts'
import { type DiscountWish, discountsOf } from '../standing/discount-wishes.ts'
import { tellOfDiscounts } from '../standing/put-subscription.ts'

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
  paymentBehavior?: 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete' | undefined
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
  requireStartable(world, input)
  const subscription = newSubscription(world, input)
  const discounts = isPreview ? wantedDiscounts(world, input, { isPreview }) : []
  return { subscription, first: { ...firstInvoice(world, subscription, input), discounts } }
}

function requireStartable(world: World, { customerId, items, ...input }: NewSubscription) {
  world.of('customer').get(customerId, 'customer')
  if (items.length === 0) throw parameterMissing('items')
  for (const [index, { priceId }] of items.entries()) {
    requirePrice(world, priceId, `items[${index}][price]`, input.isUnattended ? items : [])
  }
  requireOneKind(world, items)
  const { defaultPaymentMethodId: cardId } = input
  if (cardId) requireOwnCard(world, cardId, customerId, 'default_payment_method')
}

/** The subscription as it begins, its items in their first period. */
function newSubscription(world: World, input: NewSubscription): SubscriptionRecord {
  const { customerId } = input
  const { testClockId } = world.of('customer').get(customerId)
  const now = world.now(testClockId)
  const trialEnd = trialEndOf(input, now)
  const end = trialEnd ?? nextPeriodEnd(now, now, recurringOf(world, input.items))
  const cancelAt = input.cancelAtPeriodEnd ? end : (input.cancelAt ?? null)
  const reason = cancelAt === null ? null : 'cancellation_requested'
  return {
    id: world.newId('sub'),
    created: now,
    metadata: input.metadata ?? {},
    customerId,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    items: newItems(world, input, { start: now, end }),
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
    cancellation: { comment: null, feedback: null, reason },
    latestInvoiceId: world.newId('in'),
    pauseCollection: null,
    scheduleId: null,
    description: input.description ?? null,
    testClockId,
    savesDefaultPaymentMethod: input.savesDefaultPaymentMethod ?? false,
    trialEndAnnounced: false,
    pendingUpdate: null,
  }
}

function newItems(
  world: World,
  { items }: NewSubscription,
  { start, end }: { start: number; end: number },
): SubscriptionItemRecord[] {
  return items.map(({ priceId, quantity = 1, metadata = {} }) => ({
    id: world.newId('si'),
    created: start,
    metadata,
    priceId,
    quantity,
    currentPeriodStart: start,
    currentPeriodEnd: end,
  }))
}

function firstInvoice(
  world: World,
  subscription: SubscriptionRecord,
  { onceItems = [] }: NewSubscription,
): Omit<InvoiceInput, 'discounts'> {
  const { items, latestInvoiceId, customerId, startDate, trialEnd } = subscription
  const [item] = items
  const once = onceItems.map(({ priceId, quantity }) =>
    onceLine(world, subscription, world.of('price').get(priceId, 'add_invoice_items'), quantity),
  )
  const periods = items.map((one) => periodLine(world, subscription, one, { isTrial: trialEnd !== null }))
  return {
    ...(latestInvoiceId ? { id: latestInvoiceId } : {}),
    customerId,
    subscriptionId: subscription.id,
    billingReason: 'subscription_create',
    currency: world.of('price').get(item?.priceId ?? '').currency,
    lines: [...periods, ...once],
    period: { start: startDate, end: startDate },
  }
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
  const { isAuthenticated = false } = input
  const answer = cardAnswer(world.of('paymentMethod').get(cardId), { isAuthenticated })
  const fault = faultOfAnswer(answer)
  if (fault) throw fault
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
