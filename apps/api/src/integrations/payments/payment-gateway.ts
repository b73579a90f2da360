export type PaymentAccount = { id: string; isLive: boolean }

/** Distinguishes our subscriptions from the merchant's other sales to the same customer. */
export type OwnSales = { appIds: ReadonlySet<string>; productIds: ReadonlySet<string> }

export const subscriptionStatuses = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** In minor units of the currency. */
export type Money = { amount: number; currency: string }

/** `payment_failed`: the last retry failed. */
export type CancelReason = 'payment_disputed' | 'payment_failed'

export type Subscription = {
  id: string
  customerId: string
  status: SubscriptionStatus
  createdAt: Date
  /** From the metadata; null where it is missing. */
  appId: string | null
  memberId: string | null
  /** Our item, or the first one if none is ours. */
  itemId: string
  productId: string
  /** Whether it has other items too, so that it can't be canceled or refunded as a whole. */
  isShared: boolean
  priceId: string
  /** For one period, before discounts. */
  price: Money & { interval: 'monthly' | 'yearly' | null }
  periodStartsAt: Date
  periodEndsAt: Date
  /** When a canceled subscription ends. */
  endsAt: Date | null
  endedAt: Date | null
  cancelReason: CancelReason | null
  /** The change that is scheduled for the period's end. */
  schedule: { id: string; nextPriceId: string | null } | null
  latestInvoice: Invoice | null
  /** When the oldest unpaid invoice of a past-due subscription was created. */
  unpaidSince: Date | null
  /** A fingerprint of the discounts and tax that may change what renewals charge; null for none. */
  adjustedBy: string | null
  /** Whether the merchant has paused payments, the next renewal's too: it charges nothing, though the status stays. */
  isCollectionPaused: boolean
  /** Whether it has a card of its own, which is charged instead of the customer's default. */
  hasOwnCard: boolean
}

export type Invoice = Money & {
  id: string
  isPaid: boolean
  createdAt: Date
  paidAt: Date | null
  /** Prices that it charges, without credited ones. */
  priceIds: string[]
  /** The page where it can be paid. */
  url: string | null
}

/** The reasons of automatic refunds; `by-merchant` was refunded by hand. */
export type RefundReason = 'paid-twice' | 'paid-after-end' | 'account-deleted' | 'by-merchant'

/** A pending refund counts as made. */
export type Refund = Money & { id: string; paymentId: string; customerId: string | null; hasFailed: boolean }

/** The refundable amount of a payment, and its automatic refund. */
export type Payment = Money & { id: string; refund: Refund | null }

/** The amount of renewals from a day on (ISO 8601), with discounts and tax; `tax` is the part of it that is tax. */
export type RenewalStep = { from: string; amount: number; tax: number }

/** The charge of the next renewal with discounts and tax, and of those after temporary discounts. */
export type Renewal = Money & {
  regularAmount: number
  /** Whether tax is added to the price or included in it; null for no tax. */
  taxBehavior: 'exclusive' | 'inclusive' | null
  /** The next renewal first; each step lasts until the next one. */
  amounts: RenewalStep[]
}

/** The charge of an immediate change now, and at each renewal. */
export type ChangePreview = { due: Money; renewal: Renewal }

/** The schedule of a subscription with an item that an upgrade replaces. */
export type DroppedSchedule = { subscriptionId: string; itemId: string; scheduleId: string }

/** A verified webhook event: only a hint to sync. */
export type PaymentEvent = {
  id: string
  type: string
  createdAt: Date
  customerId: string | null
  isLive: boolean | null
  /** Null for the webhook's own account. */
  accountId: string | null
  /** The event's object, such as a dispute or refund, whose events name no customer. */
  subjectId: string | null
}

export type CatalogPrice = Money & {
  planId: string
  priceId: string
  planName: string
  planDescription: string | null
  interval: 'monthly' | 'yearly'
}

/** A price at Stripe and the configured price that it represents. A former one may have another interval. */
export type SoldPrice = Omit<CatalogPrice, 'interval'> & {
  id: string
  productId: string
  interval: CatalogPrice['interval'] | null
}

export type OnProgress = (line: string) => void

/**
 * Charges members, through Stripe. Every call is idempotent and may reject with {@link PaymentsUnavailableError}, after
 * which it can be repeated, or with {@link PaymentsKeyRefusedError}, after which the operator must act. The errors are in
 * gateway-errors.ts.
 */
export type PaymentGateway = {
  /** Returns the secret key's account. The only call without a check against the database's account. */
  findAccount(): Promise<PaymentAccount>
  /** Creates a customer for a member, or returns the one that a concurrent call created. */
  createCustomer(member: { memberId: string; appId: string; email: string }): Promise<string>
  /** Returns the member that the customer's metadata names. */
  findOwner(customerId: string): Promise<{ appId: string; memberId: string } | null>
  /**
   * Deletes a customer, or removes name, addresses, phone, cards and metadata (`keep`). Changes nothing and returns `kept`
   * while a subscription, invoice, checkout or balance is open, also of the merchant's other sales. Idempotent.
   */
  retireCustomer(customerId: string, mode: 'delete' | 'keep'): Promise<'deleted' | 'redacted' | 'kept'>
  /** Throws {@link CustomerDeletedError}. */
  updateEmail(customerId: string, email: string): Promise<void>
  /**
   * Opens a checkout and expires the member's other ones; of concurrent checkouts, the one with the highest `number`
   * stays. Throws {@link AlreadyPaidError} if one was paid and its subscription is not among the `known` ones,
   * {@link CouponNotValidError}, {@link PriceArchivedError}, or {@link CustomerDeletedError}.
   */
  startCheckout(order: {
    customerId: string
    memberId: string
    appId: string
    priceId: string
    /** A promotion code or the id of a public coupon. */
    coupon: string | null
    successUrl: string
    cancelUrl: string
    /** Higher than that of every earlier checkout of the member. */
    number: number
    known: readonly Pick<Subscription, 'id'>[]
    own: OwnSales
  }): Promise<{ url: string }>
  /** Opens the billing portal. Throws {@link CustomerDeletedError}. */
  openPortal(visit: {
    customerId: string
    configurationId: string
    returnUrl: string
  }): Promise<{ url: string }>
  /** Returns a customer's subscriptions, ended ones included, oldest first; none for a deleted customer. */
  listSubscriptions(customerId: string, own: OwnSales): Promise<Subscription[]>
  /** Yields all of our subscriptions page by page, newest first. */
  listAllSubscriptions(own: OwnSales): AsyncIterable<Subscription[]>
  /** Previews an immediate change with the same `proratedAt`. */
  previewChange(subscription: Subscription, priceId: string, proratedAt: Date): Promise<ChangePreview>
  /** Previews renewals as they are scheduled, or at a price to which the member would change at the period's end. */
  previewRenewal(subscription: Subscription, changeTo?: string): Promise<Renewal>
  /** Returns what a whole period at the current price cost last, with discounts and tax; null before that. */
  findPeriodCharge(subscription: Pick<Subscription, 'id' | 'priceId'>): Promise<Money | null>
  /**
   * Changes the price and charges the difference now, and drops a scheduled change. Otherwise changes nothing and throws
   * {@link CardDeclinedError}, or {@link SubscriptionChangedError} if the subscription has another price now.
   */
  changeNow(subscription: Subscription, priceId: string, proratedAt: Date): Promise<void>
  /**
   * Restores a schedule as it was before an upgrade dropped it, unless the upgrade was made, the subscription is canceled,
   * or another schedule followed. Idempotent.
   */
  restoreSchedule(dropped: DroppedSchedule): Promise<void>
  /** Schedules a price for the period's end; the current price drops a scheduled change. Throws as above. */
  changeAtPeriodEnd(subscription: Subscription, priceId: string): Promise<void>
  /** Lets the customer's default card pay a subscription's renewals: its own card, unless the default is newer. */
  useDefaultCard(subscriptionId: string): Promise<void>
  /** Cancels a subscription now and closes its drafts and unpaid invoices. An ended one keeps its reason. */
  cancelSubscription(subscriptionId: string, reason?: 'payment_disputed'): Promise<void>
  /**
   * Closes the drafts and unpaid invoices of an ended subscription, and returns the credit that paid one after the end to
   * its customer. Returns the invoices that were paid after the end.
   */
  settleEnded(subscription: { id: string; endedAt: Date }): Promise<{
    paidAfterEnd: string[]
    /** False while an invoice is a draft, or can't be voided because its payment is processing. */
    isSettled: boolean
  }>
  listPayments(invoiceId: string): Promise<Payment[]>
  /** Refunds the rest of a payment, once; null if disputed or refunded. Throws {@link PaymentsRefusedError}. */
  refund(order: {
    paymentId: string
    invoiceId: string
    reason: RefundReason
    appId: string
    memberId: string | null
  }): Promise<Refund | null>
  findRefund(refundId: string): Promise<Refund | null>
  /** Yields the refunds that have failed since an instant. */
  listFailedRefunds(since: Date): AsyncIterable<Refund[]>
  /**
   * Expires a customer's open checkouts, cancels their subscriptions and closes drafts and unpaid invoices. Returns the
   * invoices paid since an instant, and the running subscriptions with other items, which stay.
   */
  cancelAll(
    customerId: string,
    own: OwnSales,
    since: Date,
  ): Promise<{
    paid: string[]
    shared: string[]
    /** False as for {@link PaymentGateway.settleEnded}. */
    isSettled: boolean
  }>
  /** Returns the payment of an open or lost dispute. */
  findDisputed(disputeId: string): Promise<{ customerId: string; paymentId: string } | null>
  /** Returns the subscription invoice that a payment paid. */
  findPaidInvoice(paymentId: string): Promise<{ id: string; subscriptionId: string } | null>
  /** Yields open and lost disputes. */
  listDisputes(): AsyncIterable<{ id: string; customerId: string }[]>
  /** Verifies and parses a webhook. Throws {@link InvalidSignatureError} or {@link UnreadableEventError}. */
  readEvent(body: Buffer, signature: string | undefined): Promise<PaymentEvent>
  hasPrice(id: string): Promise<boolean>
  /** Creates a product per plan and a price per amount it ever had; returns current and former prices, all still active. */
  prepareCatalog(
    app: { id: string; name: string },
    prices: readonly CatalogPrice[],
    onProgress: OnProgress,
  ): Promise<(SoldPrice & { isCurrent: boolean })[]>
  /** Does the same, and archives former prices except the `kept` ones. */
  syncCatalog(
    app: { id: string; name: string },
    prices: readonly CatalogPrice[],
    onProgress: OnProgress,
    kept?: ReadonlySet<string>,
  ): Promise<(SoldPrice & { isCurrent: boolean })[]>
  /** Creates or updates the portal configuration and returns its id: cards, invoices and cancellation. */
  syncPortal(
    app: { id: string; name: string; siteUrl: string },
    configurationId: string | null,
  ): Promise<string>
  /** When false, every call above rejects. */
  isSetUp: boolean
}
