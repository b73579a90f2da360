import type { Store } from '../../store/store.ts'
import { billedDiscounts } from '../customers/customer-discount.ts'
import { requireOwnCard } from '../customers/payment-method.ts'
import { type DiscountChoice, discountsOf } from '../products/discount.ts'
import { daySeconds, nextPeriodEnd } from '../products/periods.ts'
import { recurringOf, requirePrice } from '../products/price.ts'
import { composeInvoice, draftInvoice, finalizeInvoice, type InvoiceInput } from './invoice.rules.ts'
import { periodLine } from './invoice-lines.ts'
import { noCard, payingCardId, tryInvoice } from './pay-invoice.ts'
import { type SubscriptionRecord, toWireSubscription } from './subscription.ts'

type NewSubscription = {
  customerId: string
  priceId: string
  quantity?: number | undefined
  discounts: DiscountChoice[]
  trialPeriodDays?: number | undefined
  metadata: Record<string, string>
  defaultPaymentMethodId?: string | undefined
  automaticTax?: boolean | undefined
  /** Leaves the first invoice unpaid (`default_incomplete`). */
  isPaidLater?: boolean | undefined
  isAuthenticated?: boolean | undefined
}

/** Starts a subscription and charges its first invoice. A decline leaves it `incomplete`. */
export function startSubscription(store: Store, input: NewSubscription): SubscriptionRecord {
  const begun = newSubscription(store, input)
  const first = firstInvoice(store, begun)
  const expected = discountsOf(store, input.discounts, begun, { isPreview: true })
  const { amountDue } = composeInvoice(store, '', {
    ...first,
    discounts: billedDiscounts(store, { ...begun, discounts: expected }),
  })
  if (amountDue > 0 && !payingCardId(store, begun)) throw noCard()
  const discounts = discountsOf(store, input.discounts, begun)
  const subscription = store.of('subscription').put({ ...begun, discounts })
  store.emit('customer.subscription.created', toWireSubscription(store, subscription), {
    testClockId: subscription.testClockId,
  })
  const invoice = draftInvoice(store, {
    ...first,
    subscription,
    discounts: billedDiscounts(store, subscription),
  })
  if (input.isPaidLater) finalizeInvoice(store, invoice.id)
  else tryInvoice(store, invoice.id, { isAuthenticated: input.isAuthenticated ?? false })
  return store.of('subscription').get(subscription.id)
}

function newSubscription(
  store: Store,
  {
    customerId,
    priceId,
    quantity = 1,
    trialPeriodDays,
    metadata,
    defaultPaymentMethodId,
    ...input
  }: NewSubscription,
): SubscriptionRecord {
  const { testClockId } = store.of('customer').get(customerId, 'customer')
  requirePrice(store, priceId, 'items[0][price]')
  if (defaultPaymentMethodId)
    requireOwnCard(store, defaultPaymentMethodId, customerId, 'default_payment_method')
  const now = store.now(testClockId)
  const trialEnd = trialPeriodDays ? now + trialPeriodDays * daySeconds : null
  return {
    id: store.newId('sub'),
    created: now,
    metadata,
    customerId,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    item: {
      id: store.newId('si'),
      created: now,
      priceId,
      quantity,
      currentPeriodStart: now,
      currentPeriodEnd: trialEnd ?? nextPeriodEnd(now, now, recurringOf(store, priceId)),
    },
    discounts: [],
    automaticTax: input.automaticTax ?? false,
    pausedCollection: null,
    defaultPaymentMethodId: defaultPaymentMethodId ?? null,
    billingCycleAnchor: trialEnd ?? now,
    startDate: now,
    trialStart: trialEnd === null ? null : now,
    trialEnd,
    cancelAtPeriodEnd: false,
    cancelAt: null,
    canceledAt: null,
    endedAt: null,
    cancellationComment: null,
    cancellationReason: null,
    latestInvoiceId: store.newId('in'),
    scheduleId: null,
    testClockId,
  }
}

function firstInvoice(store: Store, subscription: SubscriptionRecord): Omit<InvoiceInput, 'discounts'> {
  const { item, latestInvoiceId, startDate, trialEnd } = subscription
  return {
    ...(latestInvoiceId ? { id: latestInvoiceId } : {}),
    subscription,
    billingReason: 'subscription_create',
    lines: [periodLine(store, subscription, item, { isTrial: trialEnd !== null })],
    period: { start: startDate, end: startDate },
  }
}
