import type { World } from '../../store/store.ts'
import type { DiscountChoice } from '../coupon/discount.ts'
import { discountsOf } from '../coupon/discount-wishes.ts'
import { composeInvoice, draftInvoice, finalizeInvoice, type InvoiceInput } from '../invoice/invoice.rules.ts'
import { periodLine } from '../invoice/lines.ts'
import { tryInvoice } from '../invoice/pay-invoice.ts'
import { noCard, payingCardId } from '../invoice/paying-card.ts'
import { requireOwnCard } from '../payment-method/payment-method.ts'
import { daySeconds, nextPeriodEnd } from '../price/periods.ts'
import { recurringOf, requirePrice } from '../price/price-rules.ts'
import type { SubscriptionRecord } from './subscription.record.ts'
import { toWireSubscription } from './subscription.ts'

type NewSubscription = {
  customerId: string
  priceId: string
  quantity?: number | undefined
  discounts: DiscountChoice[]
  trialPeriodDays?: number | undefined
  metadata: Record<string, string>
  defaultPaymentMethodId?: string | undefined
  automaticTax?: boolean | undefined
  /** Whether the first invoice waits to be paid by a call of its own (`default_incomplete`). */
  isPaidLater?: boolean | undefined
  /** Whether the card's holder has just been authenticated. */
  isAuthenticated?: boolean | undefined
}

/** Starts a subscription and charges its first invoice. A refused card leaves it `incomplete`. */
export function startSubscription(world: World, input: NewSubscription): SubscriptionRecord {
  const begun = newSubscription(world, input)
  const first = firstInvoice(world, begun)
  const expected = discountsOf(world, input.discounts, begun, { isPreview: true })
  const { amountDue } = composeInvoice(world, '', { ...first, discounts: expected })
  if (amountDue > 0 && !payingCardId(world, begun)) throw noCard()
  const discounts = discountsOf(world, input.discounts, begun)
  const subscription = world.of('subscription').put({ ...begun, discounts })
  world.emit('customer.subscription.created', toWireSubscription(world, subscription), {
    testClockId: subscription.testClockId,
  })
  const invoice = draftInvoice(world, { ...first, subscription, discounts })
  if (input.isPaidLater) finalizeInvoice(world, invoice.id)
  else tryInvoice(world, invoice.id, { isAuthenticated: input.isAuthenticated ?? false })
  return world.of('subscription').get(subscription.id)
}

/** The subscription as it begins, its item in the first period. */
function newSubscription(
  world: World,
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
  const { testClockId } = world.of('customer').get(customerId, 'customer')
  requirePrice(world, priceId, 'items[0][price]')
  if (defaultPaymentMethodId)
    requireOwnCard(world, defaultPaymentMethodId, customerId, 'default_payment_method')
  const now = world.now(testClockId)
  const trialEnd = trialPeriodDays ? now + trialPeriodDays * daySeconds : null
  return {
    id: world.newId('sub'),
    created: now,
    metadata,
    customerId,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    item: {
      id: world.newId('si'),
      created: now,
      priceId,
      quantity,
      currentPeriodStart: now,
      currentPeriodEnd: trialEnd ?? nextPeriodEnd(now, now, recurringOf(world, priceId)),
    },
    discounts: [],
    automaticTax: input.automaticTax ?? false,
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
    latestInvoiceId: world.newId('in'),
    scheduleId: null,
    testClockId,
  }
}

function firstInvoice(world: World, subscription: SubscriptionRecord): Omit<InvoiceInput, 'discounts'> {
  const { item, latestInvoiceId, startDate, trialEnd } = subscription
  return {
    ...(latestInvoiceId ? { id: latestInvoiceId } : {}),
    subscription,
    billingReason: 'subscription_create',
    lines: [periodLine(world, subscription, item, { isTrial: trialEnd !== null })],
    period: { start: startDate, end: startDate },
  }
}
