import type { WireObject } from '../../protocol/wire-object.ts'
import type { Common, Store } from '../../store/store.ts'
import type { PhaseDiscount } from '../products/discount.ts'
import { nextPeriodEnd } from '../products/periods.ts'
import { isSameInterval, recurringOf } from '../products/price.ts'
import type { SubscriptionItemRecord, SubscriptionRecord } from './subscription.ts'

export type SchedulePhaseRecord = {
  startDate: number
  endDate: number
  priceId: string
  quantity: number
  itemDiscounts?: PhaseDiscount[]
  prorationBehavior: 'always_invoice' | 'create_prorations' | 'none'
  discounts: PhaseDiscount[]
}

export type ScheduleRecord = Common & {
  customerId: string
  subscriptionId: string | null
  releasedSubscriptionId: string | null
  status: 'active' | 'released' | 'canceled'
  phases: SchedulePhaseRecord[]
  automaticTax: boolean
  phaseIndex: number
  canceledAt: number | null
  releasedAt: number | null
  testClockId: string | null
}

declare module '../../store/store.ts' {
  interface Records {
    schedule: ScheduleRecord
  }
}

/** Returns a schedule; `current_phase` is null after its end. */
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
    discounts: phase.discounts.map(toWirePhaseDiscount),
    end_date: phase.endDate,
    invoice_settings: null,
    items: [
      {
        billing_thresholds: null,
        discounts: (phase.itemDiscounts ?? []).map(toWirePhaseDiscount),
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

function toWirePhaseDiscount(one: PhaseDiscount): WireObject {
  return 'kept' in one
    ? { coupon: null, discount: one.kept.id, promotion_code: null }
    : { coupon: one.couponId, discount: null, promotion_code: one.promotionCodeId }
}

/** Stores a schedule and emits an event. */
export function putSchedule(store: Store, schedule: ScheduleRecord, type: string): ScheduleRecord {
  store.of('schedule').put(schedule)
  store.emit(type, toWireSchedule(store, schedule), { testClockId: schedule.testClockId })
  return schedule
}

/** Cancels the schedule of a subscription that ends. */
export function cancelSchedule(store: Store, id: string): ScheduleRecord {
  const schedule = store.of('schedule').get(id)
  const canceledAt = store.now(schedule.testClockId)
  return putSchedule(store, { ...schedule, status: 'canceled', canceledAt }, 'subscription_schedule.canceled')
}

type Billed = { item: SubscriptionItemRecord; billingCycleAnchor: number }

/** Returns the item in the billing period from `at`, with the price that its schedule sets. */
export function nextPeriod(store: Store, subscription: SubscriptionRecord, at: number): Billed {
  const schedule = subscription.scheduleId ? store.of('schedule').find(subscription.scheduleId) : undefined
  const phase = schedule?.phases.find((one) => isWithinPhase(one, at))
  const { item, billingCycleAnchor } = phase ? withPhase(store, subscription, phase, at) : subscription
  const end = nextPeriodEnd(billingCycleAnchor, at, recurringOf(store, item.priceId))
  return { billingCycleAnchor, item: { ...item, currentPeriodStart: at, currentPeriodEnd: end } }
}

/** Returns the item as a phase has it. Another interval restarts the billing periods at `at`. */
export function withPhase(
  store: Store,
  { item, billingCycleAnchor }: SubscriptionRecord,
  { priceId, quantity }: SchedulePhaseRecord,
  at: number,
): Billed {
  const isSame = isSameInterval(store, item.priceId, priceId)
  return { item: { ...item, priceId, quantity }, billingCycleAnchor: isSame ? billingCycleAnchor : at }
}

export function isWithinPhase({ startDate, endDate }: SchedulePhaseRecord, at: number): boolean {
  return startDate <= at && at < endDate
}
