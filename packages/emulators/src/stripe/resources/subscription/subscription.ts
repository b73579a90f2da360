import type { WireObject } from '../../protocol/wire-object.ts'
import type { Store } from '../../store/store.ts'
import type { PriceRecord } from '../product/catalogue.record.ts'
import { toWirePrice } from '../product/catalogue.wire.ts'
import type { ScheduleRecord, SubscriptionItemRecord, SubscriptionRecord } from './subscription.record.ts'

/** A subscription as Stripe answers it; what can be expanded is an id. */
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
    pause_collection: null,
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

/** An item of a subscription. Since 2025 the billing period is here. */
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
    discounts: [],
    metadata: {},
    plan: toWirePlan(price),
    price: toWirePrice(store, price),
    quantity: item.quantity,
    subscription: subscriptionId,
    tax_rates: [],
  }
}

/** The older form of a price, which subscription items carry still. */
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

/** Returns a subscription schedule; `current_phase` is null after its end. */
export function toWireSchedule(store: Store, schedule: ScheduleRecord): WireObject {
  const current = schedule.status === 'active' ? schedule.phases[schedule.phaseIndex] : undefined
  return {
    id: schedule.id,
    object: 'subscription_schedule',
    application: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    canceled_at: schedule.canceledAt,
    completed_at: null,
    created: schedule.created,
    current_phase: current ? { end_date: current.endDate, start_date: current.startDate } : null,
    customer: schedule.customerId,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      automatic_tax: { disabled_reason: null, enabled: schedule.automaticTax, liability: null },
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    livemode: false,
    metadata: schedule.metadata,
    pause_schedules: [],
    phases: schedule.phases.map((phase) => toWirePhase(store, phase)),
    released_at: schedule.releasedAt,
    released_subscription: schedule.releasedSubscriptionId,
    status: schedule.status,
    subscription: schedule.subscriptionId,
    test_clock: schedule.testClockId,
  }
}

function toWirePhase(store: Store, phase: ScheduleRecord['phases'][number]): WireObject {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency: store.of('price').get(phase.priceId).currency,
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: phase.discounts.map(({ couponId, promotionCodeId }) => ({
      coupon: couponId,
      discount: null,
      promotion_code: promotionCodeId,
    })),
    end_date: phase.endDate,
    invoice_settings: null,
    items: [
      {
        billing_thresholds: null,
        discounts: [],
        metadata: {},
        plan: phase.priceId,
        price: phase.priceId,
        quantity: phase.quantity,
        tax_rates: [],
      },
    ],
    metadata: {},
    on_behalf_of: null,
    proration_behavior: phase.prorationBehavior,
    start_date: phase.startDate,
    transfer_data: null,
    trial_end: null,
  }
}
