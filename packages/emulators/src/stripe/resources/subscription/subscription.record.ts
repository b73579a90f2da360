import type { Common } from '../../store/common.ts'
import type { DiscountRecord } from '../product/catalogue.record.ts'

export type SubscriptionStatus =
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
  currentPeriodStart: number
  currentPeriodEnd: number
}

export type SubscriptionRecord = Common & {
  customerId: string
  status: SubscriptionStatus
  item: SubscriptionItemRecord
  discounts: DiscountRecord[]
  /** Kept and shown; no tax is computed. */
  automaticTax: boolean
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

export type SchedulePhaseRecord = {
  startDate: number
  endDate: number
  priceId: string
  quantity: number
  prorationBehavior: 'always_invoice' | 'create_prorations' | 'none'
  discounts: { couponId: string | null; promotionCodeId: string | null }[]
}

export type ScheduleRecord = Common & {
  customerId: string
  subscriptionId: string | null
  releasedSubscriptionId: string | null
  status: 'active' | 'released' | 'canceled'
  phases: SchedulePhaseRecord[]
  automaticTax: boolean
  /** The phase that is in force. */
  phaseIndex: number
  canceledAt: number | null
  releasedAt: number | null
  testClockId: string | null
}
