/**
 * What the stand-in for Stripe keeps, in its own words. Amounts are in minor units, times in seconds since 1970. What
 * goes over the wire is made from these by the mappers in `wire/`.
 */

export type Metadata = Record<string, string>

type Common = { id: string; created: number; metadata: Metadata }

export type CustomerRecord = Common & {
  email: string | null
  name: string | null
  phone: string | null
  description: string | null
  testClockId: string | null
  /** `invoice_settings.default_payment_method`. */
  defaultPaymentMethodId: string | null
  /** Negative: credit that the next invoices use up. */
  balance: number
  invoicePrefix: string
  nextInvoiceNumber: number
  deleted: boolean
  /** What nothing depends on and the answers repeat, by the wire's names. */
  echoes: Record<string, unknown>
}

export type ProductRecord = Common & {
  name: string
  description: string | null
  active: boolean
  defaultPriceId: string | null
  updated: number
  deleted: boolean
  /** What nothing depends on and the answers repeat, by the wire's names. */
  echoes: Record<string, unknown>
}

export type Interval = 'day' | 'week' | 'month' | 'year'

export type PriceRecord = Common & {
  productId: string
  active: boolean
  currency: string
  unitAmount: number
  /** Null for a price that is paid once. */
  recurring: { interval: Interval; intervalCount: number } | null
  lookupKey: string | null
  nickname: string | null
}

export type CouponRecord = Common & {
  name: string | null
  percentOff: number | null
  amountOff: number | null
  currency: string | null
  duration: 'once' | 'repeating' | 'forever'
  durationInMonths: number | null
  maxRedemptions: number | null
  redeemBy: number | null
  timesRedeemed: number
  appliesToProductIds: string[] | null
  deleted: boolean
}

export type PromotionCodeRecord = Common & {
  code: string
  couponId: string
  active: boolean
  customerId: string | null
  expiresAt: number | null
  maxRedemptions: number | null
  timesRedeemed: number
  firstTimeTransaction: boolean
  minimumAmount: number | null
  minimumAmountCurrency: string | null
}

/** A coupon at work on a subscription or an invoice. */
export type DiscountRecord = {
  id: string
  couponId: string
  promotionCodeId: string | null
  start: number
  end: number | null
  /** Invoices it has lowered; a coupon of duration `once` lowers one. */
  timesUsed: number
}

/** What a card does when it is charged. `attaches-then-declines` can be saved and fails at every charge. */
export type CardBehaviour =
  | 'succeeds'
  | 'declines'
  | 'declines-insufficient-funds'
  | 'needs-authentication'
  | 'attaches-then-declines'

export type PaymentMethodRecord = Common & {
  customerId: string | null
  brand: string
  last4: string
  expMonth: number
  expYear: number
  funding: 'credit' | 'debit'
  /** The same for the same card. */
  fingerprint: string
  billing: {
    email: string | null
    name: string | null
    phone: string | null
    address: Record<string, unknown> | null
  }
  behaviour: CardBehaviour
}

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

export type InvoiceLineRecord = {
  id: string
  /** Before discounts; negative for what is given back. */
  amount: number
  discountAmounts: { amount: number; discountId: string }[]
  description: string
  period: { start: number; end: number }
  priceId: string | null
  productId: string | null
  quantity: number
  isProration: boolean
  subscriptionId: string | null
  subscriptionItemId: string | null
  invoiceItemId: string | null
  metadata: Metadata
}

export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'

export type InvoiceRecord = Common & {
  customerId: string
  subscriptionId: string | null
  status: InvoiceStatus
  billingReason:
    | 'manual'
    | 'subscription_create'
    | 'subscription_cycle'
    | 'subscription_update'
    | 'subscription_threshold'
    | 'upcoming'
  currency: string
  number: string | null
  lines: InvoiceLineRecord[]
  discounts: DiscountRecord[]
  subtotal: number
  total: number
  startingBalance: number
  endingBalance: number | null
  amountDue: number
  amountPaid: number
  amountRemaining: number
  attemptCount: number
  attempted: boolean
  autoAdvance: boolean
  nextPaymentAttempt: number | null
  periodStart: number
  periodEnd: number
  finalizedAt: number | null
  paidAt: number | null
  voidedAt: number | null
  markedUncollectibleAt: number | null
  paymentIntentId: string | null
  description: string | null
  testClockId: string | null
}

/** A line that waits for the next invoice of its customer. */
export type InvoiceItemRecord = Common & {
  customerId: string
  subscriptionId: string | null
  currency: string
  line: InvoiceLineRecord
  /** The invoice that took it up. */
  invoiceId: string | null
  deleted: boolean
}

export type PaymentIntentRecord = Common & {
  customerId: string | null
  amount: number
  amountReceived: number
  currency: string
  status: 'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'succeeded' | 'canceled'
  paymentMethodId: string | null
  invoiceId: string | null
  latestChargeId: string | null
  lastError: { code: string; declineCode: string | null; message: string } | null
  canceledAt: number | null
  clientSecret: string
  description: string | null
}

export type ChargeRecord = Common & {
  customerId: string | null
  amount: number
  amountRefunded: number
  currency: string
  status: 'succeeded' | 'failed' | 'pending'
  paymentMethodId: string | null
  paymentIntentId: string | null
  disputeId: string | null
  failureCode: string | null
  failureMessage: string | null
}

export type RefundRecord = Common & {
  amount: number
  currency: string
  chargeId: string
  paymentIntentId: string | null
  reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | null
  status: 'succeeded' | 'pending' | 'failed' | 'canceled'
}

export type DisputeRecord = Common & {
  amount: number
  currency: string
  chargeId: string
  paymentIntentId: string | null
  reason: string
  status: 'needs_response' | 'under_review' | 'won' | 'lost'
}

export type CheckoutSessionRecord = Common & {
  mode: 'subscription' | 'payment' | 'setup'
  status: 'open' | 'complete' | 'expired'
  paymentStatus: 'paid' | 'unpaid' | 'no_payment_required'
  customerId: string | null
  customerEmail: string | null
  clientReferenceId: string | null
  lineItems: { id: string; priceId: string; quantity: number }[]
  discounts: { couponId: string | null; promotionCodeId: string | null }[]
  allowPromotionCodes: boolean
  successUrl: string
  cancelUrl: string | null
  expiresAt: number
  subscriptionId: string | null
  invoiceId: string | null
  paymentIntentId: string | null
  /** Who paid, as they said on the page. */
  customerDetails: { email: string | null; name: string | null } | null
  currency: string
  /** `if_required` asks for no card when nothing is due now. */
  paymentMethodCollection: 'always' | 'if_required'
  subscriptionData: {
    description: string | null
    metadata: Metadata
    trialPeriodDays: number | null
    trialEnd: number | null
    trialEndBehaviour: SubscriptionRecord['trialEndBehaviour']
  }
  paymentIntentData: { description: string | null; metadata: Metadata }
  /** What the page does not act on and the answers repeat, by the wire's names. */
  echoes: Record<string, unknown>
  locale: string | null
  url: string
}

export type PortalConfigurationRecord = Common & {
  active: boolean
  isDefault: boolean
  updated: number
  name: string | null
  defaultReturnUrl: string | null
  businessProfile: {
    headline: string | null
    privacyPolicyUrl: string | null
    termsOfServiceUrl: string | null
  }
  features: {
    customerUpdate: { enabled: boolean; allowedUpdates: string[] }
    invoiceHistory: { enabled: boolean }
    paymentMethodUpdate: { enabled: boolean }
    subscriptionCancel: {
      enabled: boolean
      mode: 'at_period_end' | 'immediately'
      prorationBehavior: 'always_invoice' | 'create_prorations' | 'none'
      cancellationReason: { enabled: boolean; options: string[] }
    }
    subscriptionUpdate: {
      enabled: boolean
      defaultAllowedUpdates: string[]
      prorationBehavior: 'always_invoice' | 'create_prorations' | 'none'
      products: { productId: string; priceIds: string[] }[]
      /** Changes that wait for the period's end. */
      scheduleAtPeriodEnd: { conditions: ('decreasing_item_amount' | 'shortening_interval')[] }
      trialUpdateBehavior: 'continue_trial' | 'end_trial'
      billingCycleAnchor: 'now' | 'unchanged' | null
    }
  }
}

/** What a portal session leads straight to; null for its first page. */
export type PortalFlow =
  | { type: 'payment_method_update' }
  | { type: 'subscription_cancel'; subscriptionId: string }
  | { type: 'subscription_update'; subscriptionId: string }
  | {
      type: 'subscription_update_confirm'
      subscriptionId: string
      items: { itemId: string; priceId: string; quantity: number }[]
      discounts: { couponId: string | null; promotionCodeId: string | null }[]
    }

export type AfterCompletion =
  | { type: 'portal_homepage' }
  | { type: 'hosted_confirmation'; customMessage: string | null }
  | { type: 'redirect'; returnUrl: string }

export type PortalSessionRecord = {
  id: string
  created: number
  customerId: string
  configurationId: string
  returnUrl: string | null
  locale: string | null
  url: string
  flow: PortalFlow | null
  /** Where a flow leads once it is done. */
  afterCompletion: AfterCompletion
}

export type TestClockRecord = {
  id: string
  created: number
  name: string | null
  frozenTime: number
  status: 'ready' | 'advancing' | 'internal_failure'
  deletesAfter: number
}

export type WebhookEndpointRecord = Common & {
  url: string
  secret: string
  enabledEvents: string[]
  status: 'enabled' | 'disabled'
  description: string | null
}

/** The object is kept as it looked on the wire when the event happened. */
export type EventRecord = {
  id: string
  created: number
  type: string
  object: Record<string, unknown>
  previousAttributes: Record<string, unknown> | null
  request: { id: string | null; idempotencyKey: string | null }
  /** Deliveries that have not been taken yet, by webhook endpoint. */
  pending: { endpointId: string; tries: number; nextTryAt: number }[]
  /** The webhook endpoints that have taken it. */
  takenBy: string[]
}

/** Everything that is kept, by kind. */
export type Records = {
  customer: CustomerRecord
  product: ProductRecord
  price: PriceRecord
  coupon: CouponRecord
  promotionCode: PromotionCodeRecord
  paymentMethod: PaymentMethodRecord
  subscription: SubscriptionRecord
  schedule: ScheduleRecord
  invoice: InvoiceRecord
  invoiceItem: InvoiceItemRecord
  paymentIntent: PaymentIntentRecord
  charge: ChargeRecord
  refund: RefundRecord
  dispute: DisputeRecord
  checkoutSession: CheckoutSessionRecord
  portalConfiguration: PortalConfigurationRecord
  portalSession: PortalSessionRecord
  testClock: TestClockRecord
  webhookEndpoint: WebhookEndpointRecord
  event: EventRecord
}

export type Kind = keyof Records
