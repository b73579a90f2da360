import type { DiscountRecord } from './catalogue.ts'
import type { Common, Metadata } from './common.ts'

export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'canceled'
  | 'unpaid'
  | 'paused'

export type SubscriptionItemRecord = {
  id: string
  created: number
  metadata: Metadata
  priceId: string
  quantity: number
  currentPeriodStart: number
  currentPeriodEnd: number
}

export type SubscriptionRecord = Common & {
  customerId: string
  status: SubscriptionStatus
  items: SubscriptionItemRecord[]
  discounts: DiscountRecord[]
  defaultPaymentMethodId: string | null
  billingCycleAnchor: number
  startDate: number
  trialStart: number | null
  trialEnd: number | null
  /** What a trial that ends without a card leads to. */
  trialEndBehaviour: 'cancel' | 'create_invoice' | 'pause'
  cancelAtPeriodEnd: boolean
  cancelAt: number | null
  canceledAt: number | null
  endedAt: number | null
  cancellation: { comment: string | null; feedback: string | null; reason: string | null }
  latestInvoiceId: string | null
  pauseCollection: {
    behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void'
    resumesAt: number | null
  } | null
  scheduleId: string | null
  description: string | null
  testClockId: string | null
  /** Whether the card of the first payment becomes the subscription's own (`save_default_payment_method`). */
  savesDefaultPaymentMethod: boolean
  /** Whether `customer.subscription.trial_will_end` has been told. */
  trialEndAnnounced: boolean
  /** A change that waits for its invoice to be paid (`pending_if_incomplete`). */
  pendingUpdate: {
    expiresAt: number
    invoiceId: string
    items: SubscriptionItemRecord[]
    billingCycleAnchor: number
    trialStart: number | null
    trialEnd: number | null
    discounts: DiscountRecord[]
  } | null
}

export type SchedulePhaseRecord = {
  startDate: number
  endDate: number
  items: { priceId: string; quantity: number }[]
  prorationBehavior: 'always_invoice' | 'create_prorations' | 'none'
  discounts: { couponId: string | null; promotionCodeId: string | null }[]
  metadata: Metadata
}

export type ScheduleRecord = Common & {
  customerId: string
  subscriptionId: string | null
  releasedSubscriptionId: string | null
  status: 'not_started' | 'active' | 'completed' | 'released' | 'canceled'
  endBehavior: 'release' | 'cancel'
  phases: SchedulePhaseRecord[]
  /** The phase that is in force; -1 before the first one. */
  phaseIndex: number
  canceledAt: number | null
  completedAt: number | null
  releasedAt: number | null
  testClockId: string | null
}
