import type { WireObject } from '../../protocol/wire-object.ts'
import { type Common, emitChange, type Store } from '../../store/store.ts'
import type { DiscountRecord } from '../products/discount.ts'
import { type PriceRecord, toWirePrice } from '../products/price.ts'

type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'canceled'
  | 'unpaid'

export type SubscriptionItemRecord = {
  id: string
  created: number
  priceId: string
  quantity: number
  /** Applied before those of the subscription. */
  discounts?: DiscountRecord[]
  currentPeriodStart: number
  currentPeriodEnd: number
}

export type SubscriptionRecord = Common & {
  customerId: string
  status: SubscriptionStatus
  item: SubscriptionItemRecord
  discounts: DiscountRecord[]
  /** Only shown. The emulator computes no tax. */
  automaticTax: boolean
  /**
   * Pauses the payments of renewals, until `resumesAt`: their invoices stay drafts, and the status stays active.
   * https://docs.stripe.com/billing/subscriptions/pause-payment
   */
  pausedCollection?: { behavior: 'keep_as_draft'; resumesAt: number | null } | null
  defaultPaymentMethodId: string | null
  billingCycleAnchor: number
  startDate: number
  trialStart: number | null
  trialEnd: number | null
  cancelAtPeriodEnd: boolean
  cancelAt: number | null
  canceledAt: number | null
  endedAt: number | null
  cancellationComment: string | null
  cancellationReason: 'cancellation_requested' | 'payment_failed' | null
  latestInvoiceId: string | null
  scheduleId: string | null
  testClockId: string | null
}

declare module '../../store/store.ts' {
  interface Records {
    subscription: SubscriptionRecord
  }
}

export function toWireSubscription(store: Store, subscription: SubscriptionRecord): WireObject {
  const { id, item } = subscription
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: subscription.automaticTax, liability: null },
    billing_cycle_anchor: subscription.billingCycleAnchor,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: subscription.cancelAt,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    canceled_at: subscription.canceledAt,
    cancellation_details: {
      comment: subscription.cancellationComment,
      feedback: null,
      feedback_option: null,
      reason: subscription.cancellationReason,
    },
    collection_method: 'charge_automatically',
    created: subscription.created,
    currency: store.of('price').get(item.priceId).currency,
    customer: subscription.customerId,
    customer_account: null,
    days_until_due: null,
    default_payment_method: subscription.defaultPaymentMethodId,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: subscription.discounts.map((discount) => discount.id),
    ended_at: subscription.endedAt,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: [toWireSubscriptionItem(store, id, item)],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: subscription.latestInvoiceId,
    livemode: false,
    managed_payments: null,
    metadata: subscription.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: subscription.pausedCollection
      ? {
          behavior: subscription.pausedCollection.behavior,
          resumes_at: subscription.pausedCollection.resumesAt,
        }
      : null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: subscription.scheduleId,
    start_date: subscription.startDate,
    status: subscription.status,
    test_clock: subscription.testClockId,
    transfer_data: null,
    trial_end: subscription.trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
    trial_start: subscription.trialStart,
  }
}

function toWireSubscriptionItem(
  store: Store,
  subscriptionId: string,
  item: SubscriptionItemRecord,
): WireObject {
  const price = store.of('price').get(item.priceId)
  return {
    id: item.id,
    object: 'subscription_item',
    billing_thresholds: null,
    created: item.created,
    current_period_end: item.currentPeriodEnd,
    current_period_start: item.currentPeriodStart,
    current_trial: null,
    discounts: (item.discounts ?? []).map((discount) => discount.id),
    metadata: {},
    plan: toWirePlan(price),
    price: toWirePrice(store, price),
    quantity: item.quantity,
    subscription: subscriptionId,
    tax_rates: [],
  }
}

/** Returns the legacy form of a price, which subscription items still contain. */
function toWirePlan(price: PriceRecord): WireObject {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unitAmount,
    amount_decimal: String(price.unitAmount),
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.intervalCount ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: null,
    product: price.productId,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

/** Returns whether a subscription was canceled or expired. */
export function hasEnded({ status }: Pick<SubscriptionRecord, 'status'>): boolean {
  return status === 'canceled' || status === 'incomplete_expired'
}

/** Returns a customer's subscriptions that have not ended, newest first. */
export function runningSubscriptions(store: Store, customerId: string): SubscriptionRecord[] {
  return store.of('subscription').ofCustomer(customerId, (subscription) => !hasEnded(subscription))
}

/** Changes fields of a subscription and emits an event if the wire form changed. */
export function updateSubscription(
  store: Store,
  id: string,
  patch: Partial<SubscriptionRecord>,
): SubscriptionRecord {
  const before = store.of('subscription').get(id)
  const earlier = toWireSubscription(store, before)
  const subscription = store.of('subscription').put({ ...before, ...patch })
  emitChange(
    store,
    'customer.subscription.updated',
    earlier,
    toWireSubscription(store, subscription),
    subscription.testClockId,
  )
  return subscription
}
