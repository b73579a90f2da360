/** An account of the service, in test mode or live. */
export type PaymentAccount = { id: string; isLive: boolean }

/** What tells our own subscriptions from whatever else a merchant sells to the same customer. */
export type OwnSales = { appIds: ReadonlySet<string>; productIds: ReadonlySet<string> }

/** A subscription's state, in the words of the service that charges. */
export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled'

/** The price of something, in minor units of its currency. */
export type Money = { amount: number; currency: string }

/** `payment_failed`: the last retry failed. */
export type CancelReason = 'payment_disputed' | 'payment_failed'

/** A subscription as the service has it now. */
export type Subscription = {
  id: string
  customerId: string
  status: SubscriptionStatus
  createdAt: Date
  /** Our app and its member, where the subscription's metadata names them. */
  appId: string | null
  memberId: string | null
  /** The item of ours, the first one if none is. */
  itemId: string
  productId: string
  /** Whether it is for something else as well, so that it can be neither canceled nor refunded as a whole. */
  isShared: boolean
  /** The service's own id of the price. */
  priceId: string
  /** What a period costs, discounts aside. */
  price: Money & { interval: 'monthly' | 'yearly' | null }
  periodStartsAt: Date
  periodEndsAt: Date
  /** When it ends because somebody has cancelled it. */
  endsAt: Date | null
  endedAt: Date | null
  /** Why it was canceled, where that is known. */
  cancelReason: CancelReason | null
  /** The change that waits for the period's end. */
  schedule: { id: string; nextPriceId: string | null } | null
  latestInvoice: Invoice | null
  /** Of one that is behind with its payments, when the oldest invoice was written that nobody has paid. */
  owedSince: Date | null
  /** Whether renewals may charge another amount than its price: less by a discount, or more by a tax. */
  isAdjusted: boolean
}

export type Invoice = Money & {
  id: string
  isPaid: boolean
  createdAt: Date
  paidAt: Date | null
  /** The prices that it charges, without those that it credits. */
  priceIds: string[]
  /** A page of the service on which it can be paid. */
  url: string | null
}

/** Why a payment is refunded automatically; `by-merchant` was refunded by hand. */
export type RefundReason = 'paid-twice' | 'paid-after-end' | 'account-deleted' | 'by-merchant'

/** A refund of a payment. One that Stripe is still making counts as made. */
export type Refund = Money & { id: string; paymentId: string; customerId: string | null; hasFailed: boolean }

/** A payment of an invoice: what of it can be refunded, and the automatic refund that was made of it. */
export type Payment = Money & { id: string; refund: Refund | null }

/** What renewals charge, discounts and tax included: the next one, and each one after discounts that end. */
export type Renewal = Money & { regularAmount: number }

/** What changing the price at once would charge, and each renewal afterwards. */
export type ChangePreview = { due: Money; renewal: Renewal }

/** An event that the service tells of, proved to be its own. Only a hint to read the truth. */
export type PaymentEvent = {
  id: string
  type: string
  createdAt: Date
  /** Null where the event names none. */
  customerId: string | null
  /** Null where the event doesn't say. */
  isLive: boolean | null
  /** Null for an event of the account that the webhook belongs to. */
  accountId: string | null
  /** The id of the object that it is about: an event about a dispute or a refund names no customer. */
  subjectId: string | null
}

/** A configured price, as it is to be sold. */
export type CataloguePrice = Money & {
  planId: string
  priceId: string
  planName: string
  planDescription: string | null
  interval: 'monthly' | 'yearly' | null
}

/** A price that the service sells, and the configured one that it stands for. */
export type SoldPrice = CataloguePrice & { id: string; productId: string }

/** What the portal leads straight to. */
export type PortalDestination =
  | { kind: 'overview' }
  | {
      kind: 'change'
      subscription: Pick<Subscription, 'id' | 'itemId'>
      priceId: string
      /** Where the browser goes on once it is confirmed. */
      doneUrl: string
    }

/** How far a long work has come. */
export type OnProgress = (line: string) => void

/**
 * The service that charges members. Every call rejects with {@link PaymentsUnavailableError} when the service cannot
 * be reached or is overloaded, and may then be made again: nothing is done twice. {@link PaymentsKeyRefusedError}
 * means that nothing was done and the operator has to act.
 */
export type PaymentGateway = {
  /** Returns the account that the configured key belongs to. The only call that isn't checked against the database's. */
  findAccount(): Promise<PaymentAccount>
  /** Makes a customer for a member, or answers the one that was made a moment ago. */
  createCustomer(member: { memberId: string; appId: string; email: string }): Promise<string>
  /** Returns the member whose customer it is, by its metadata; null when it names none. */
  findOwner(customerId: string): Promise<{ appId: string; memberId: string } | null>
  /** Removes a customer that nobody has paid as. */
  removeCustomer(customerId: string): Promise<void>
  /** Has the service know a member's new address. Throws {@link CustomerDeletedError}. */
  updateEmail(customerId: string, email: string): Promise<void>
  /**
   * Opens a checkout and expires the member's other open ones: of several, the one with the highest `number` stays open,
   * and its address is returned. Throws {@link AlreadyPaidError} when one of them was paid and its subscription is not
   * among the `known` ones, {@link CouponNotValidError}, or {@link CustomerDeletedError}.
   */
  startCheckout(order: {
    customerId: string
    memberId: string
    appId: string
    priceId: string
    /** A promotion code, or the id of a public coupon; null for none. */
    coupon: string | null
    successUrl: string
    cancelUrl: string
    /** Higher than that of every checkout the member has asked for before. */
    number: number
    known: readonly Pick<Subscription, 'id'>[]
  }): Promise<{ url: string }>
  /** Where a member manages what they pay. Throws {@link CustomerDeletedError}. */
  openPortal(visit: {
    customerId: string
    configurationId: string
    returnUrl: string
    destination: PortalDestination
  }): Promise<{ url: string }>
  /** Whatever a customer ever subscribed to of ours, the oldest first. Empty for a deleted customer. */
  listSubscriptions(customerId: string, own: OwnSales): Promise<Subscription[]>
  /** Every subscription of ours, page by page, the newest first. */
  listAllSubscriptions(own: OwnSales): AsyncIterable<Subscription[]>
  /** Says what a change at once charges as long as it is made with the same `proratedAt`. */
  previewChange(subscription: Subscription, priceId: string, proratedAt: Date): Promise<ChangePreview>
  /** Says what renewals at a price would charge from the end of the current period on. */
  previewRenewal(subscription: Subscription, priceId: string): Promise<Renewal>
  /**
   * Changes the price at once and charges the difference, or changes nothing: throws {@link CardDeclinedError}, or
   * {@link SubscriptionChangedError} when the subscription is at another price by now. A change that waits for the
   * period's end is given up.
   */
  changeNow(subscription: Subscription, priceId: string, proratedAt: Date): Promise<void>
  /**
   * Has another price follow at the period's end, and the subscription go on that was to end; the price of now takes a
   * waiting change back. Throws {@link SubscriptionChangedError} as above.
   */
  changeAtPeriodEnd(subscription: Subscription, priceId: string): Promise<void>
  /** Cancels a subscription at once and voids what is owed for it. One that has ended keeps its reason. */
  cancelSubscription(subscriptionId: string, reason?: 'payment_disputed'): Promise<void>
  /** Voids what is owed for an ended subscription. Returns the invoices that were paid after the end. */
  settleEnded(subscription: { id: string; endedAt: Date }): Promise<{
    paidAfterEnd: string[]
    /** False while an invoice can't be voided because a payment of it is processing. */
    isSettled: boolean
  }>
  listPayments(invoiceId: string): Promise<Payment[]>
  /**
   * Refunds what is left of a payment, once for its id; null when it is disputed or refunded by now. Throws
   * {@link PaymentsRefusedError}.
   */
  refund(order: {
    paymentId: string
    invoiceId: string
    reason: RefundReason
    appId: string
    memberId: string | null
  }): Promise<Refund | null>
  findRefund(refundId: string): Promise<Refund | null>
  /** Refunds that failed since an instant, page by page. */
  listFailedRefunds(since: Date): AsyncIterable<Refund[]>
  /**
   * Ends all of ours that a customer pays and could still pay for: open checkouts, then subscriptions, and what is owed.
   * Returns the invoices that were paid since an instant, and running subscriptions that other things are sold with.
   */
  cancelAll(customerId: string, own: OwnSales, since: Date): Promise<{ paid: string[]; shared: string[] }>
  /** Returns a disputed payment; null unless the dispute is open or lost. */
  findDisputed(disputeId: string): Promise<{ customerId: string; paymentId: string } | null>
  /** Returns what a payment was for; null for no subscription. */
  findPaidInvoice(paymentId: string): Promise<{ id: string; subscriptionId: string } | null>
  /** Every dispute that is open or lost, page by page. */
  listDisputes(): AsyncIterable<{ id: string; customerId: string }[]>
  /**
   * Reads what the service posted; throws {@link InvalidSignatureError} unless it is its own, unaltered and recent, and
   * {@link UnreadableEventError} when it is all that and no event as we know them.
   */
  readEvent(body: Buffer, signature: string | undefined): PaymentEvent
  /** Returns whether the service has a price of this id. */
  hasPrice(id: string): Promise<boolean>
  /**
   * Makes the service sell what is configured: one product a plan, one price for each amount it ever had. May run
   * again and again. Answers every price it sells or sold for the app, the ones of now marked.
   */
  syncCatalogue(
    app: { id: string; name: string },
    prices: readonly CataloguePrice[],
    onProgress: OnProgress,
  ): Promise<(SoldPrice & { isCurrent: boolean })[]>
  /** Makes or brings up to date what the portal offers, the first ones when it takes no more; answers its id. */
  syncPortal(
    app: { id: string; name: string; siteUrl: string },
    prices: readonly SoldPrice[],
    configurationId: string | null,
    onProgress: OnProgress,
  ): Promise<string>
  /** Whether the service is set up at all; without it every call above rejects. */
  isSetUp: boolean
}

/** The service cannot be reached, is slow or overloaded. Trying again is safe. */
export class PaymentsUnavailableError extends Error {
  override name = 'PaymentsUnavailableError'
}

/** The card was refused; `message` is for the member. */
export class CardDeclinedError extends Error {
  override name = 'CardDeclinedError'
}

/** There is no such public coupon or promotion code, or its restrictions exclude this. */
export class CouponNotValidError extends Error {
  override name = 'CouponNotValidError'
}

/** An earlier checkout of the same member has just been paid. No checkout is open. */
export class AlreadyPaidError extends Error {
  override name = 'AlreadyPaidError'
}

/** The customer was deleted at the service, by its own word. One that it doesn't know is a refusal. */
export class CustomerDeletedError extends Error {
  override name = 'CustomerDeletedError'
}

/** The service refuses what it was asked for, which neither the member nor another try can change. */
export class PaymentsRefusedError extends Error {
  override name = 'PaymentsRefusedError'
}

/** The service refuses our key: it is wrong, revoked, expired or restricted. Only the operator can fix this. */
export class PaymentsKeyRefusedError extends PaymentsRefusedError {
  override name = 'PaymentsKeyRefusedError'
}

/**
 * The key belongs to another account or mode than the database. Nothing was read or written; the message is for the
 * operator.
 */
export class WrongPaymentAccountError extends PaymentsKeyRefusedError {
  override name = 'WrongPaymentAccountError'
}

/** Another request has changed the subscription since the change was looked at. This one has changed nothing. */
export class SubscriptionChangedError extends Error {
  override name = 'SubscriptionChangedError'
}

/** What was posted is not the service's, was altered, or is old. */
export class InvalidSignatureError extends Error {
  override name = 'InvalidSignatureError'
}

/** The service posted it, and it is no event as we know them. The message says what is wrong and quotes nothing. */
export class UnreadableEventError extends Error {
  override name = 'UnreadableEventError'
}
