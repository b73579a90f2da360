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

/** A subscription as the service has it now. */
export type Subscription = {
  id: string
  customerId: string
  status: SubscriptionStatus
  createdAt: Date
  /** The one thing that is subscribed to. */
  itemId: string
  /** The service's own id of the price. */
  priceId: string
  /** What a period costs, discounts aside. */
  price: Money & { interval: 'monthly' | 'yearly' | null }
  periodStartsAt: Date
  periodEndsAt: Date
  /** When it ends because somebody has cancelled it. */
  endsAt: Date | null
  endedAt: Date | null
  /** The change that waits for the period's end. */
  schedule: { id: string; nextPriceId: string | null } | null
  latestInvoice: Invoice | null
  /** Of one that is behind with its payments, when the oldest invoice was written that nobody has paid. */
  owedSince: Date | null
}

export type Invoice = Money & {
  id: string
  isPaid: boolean
  createdAt: Date
  paidAt: Date | null
  /** A page of the service on which it can be paid. */
  url: string | null
}

/** What changing the price at once would cost. `proratedAt` holds it until it is done. */
export type ChangePreview = { due: Money; proratedAt: Date }

/** An event that the service tells of, proved to be its own. Only a hint to read the truth. */
export type PaymentEvent = {
  id: string
  type: string
  createdAt: Date
  /** Null where the event names none. */
  customerId: string | null
  /** The charge that an event about a dispute or a refund names instead of a customer. */
  chargeId: string | null
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
 * be reached or is overloaded, and may then be made again: nothing is done twice.
 */
export type PaymentGateway = {
  /** Makes a customer for a member, or answers the one that was made a moment ago. */
  createCustomer(member: { memberId: string; appId: string; email: string }): Promise<string>
  /** Removes a customer that nobody has paid as. */
  removeCustomer(customerId: string): Promise<void>
  /** Has the service know a member's new address. Throws {@link CustomerGoneError}. */
  changeEmail(customerId: string, email: string): Promise<void>
  /** Where a member pays. Throws {@link CouponNotValidError}, or {@link CustomerGoneError}. */
  startCheckout(order: {
    customerId: string
    memberId: string
    appId: string
    priceId: string
    /** A coupon's id, or a code that people type; null for none. */
    coupon: string | null
    successUrl: string
    cancelUrl: string
  }): Promise<{ url: string }>
  /** Where a member manages what they pay. Throws {@link CustomerGoneError}. */
  openPortal(visit: {
    customerId: string
    configurationId: string
    returnUrl: string
    destination: PortalDestination
  }): Promise<{ url: string }>
  /** All subscriptions of a customer that was ever made, the oldest first. Empty for a customer that is gone. */
  listSubscriptions(customerId: string): Promise<Subscription[]>
  /** Every subscription of everybody, page by page. */
  listAllSubscriptions(): AsyncIterable<Subscription[]>
  previewChange(subscription: Subscription, priceId: string): Promise<ChangePreview>
  /**
   * Changes the price at once and charges the difference, or changes nothing: throws {@link CardDeclinedError}.
   * A change that waits for the period's end is given up.
   */
  changeNow(subscription: Subscription, priceId: string, proratedAt: Date): Promise<void>
  /** Has another price follow at the period's end; the price of now takes a waiting change back. */
  changeAtPeriodEnd(subscription: Subscription, priceId: string): Promise<void>
  /** Ends a subscription at once. One that has ended stays ended. */
  cancelSubscription(subscriptionId: string): Promise<void>
  /** Gives back what a subscription's latest invoice was paid with; nothing, when nothing was or it was given back. */
  refundLatestInvoice(subscription: Subscription): Promise<void>
  /** Ends all that a customer pays and could still pay for: open checkouts first, then subscriptions. */
  endEverything(customerId: string): Promise<void>
  /** When the newest payment of the customer was made that is disputed at the bank, or was lost there. */
  findDisputed(customerId: string): Promise<Date | null>
  /** Of whom a payment is disputed, or was lost, page by page; some of them more than once. */
  listDisputed(): AsyncIterable<string[]>
  customerOfCharge(chargeId: string): Promise<string | null>
  /** Reads what the service posted; throws {@link InvalidSignatureError} unless it is its own, unaltered and recent. */
  readEvent(body: Buffer, signature: string | undefined): PaymentEvent
  /**
   * Makes the service sell what is configured: one product a plan, one price for each amount it ever had. May run
   * again and again. Answers every price it sells or sold for the app, the ones of now marked.
   */
  syncCatalogue(
    app: { id: string; name: string },
    prices: readonly CataloguePrice[],
    onProgress: OnProgress,
  ): Promise<(SoldPrice & { isCurrent: boolean })[]>
  /** Makes or brings up to date what the portal offers; answers its id. */
  syncPortal(
    app: { id: string; name: string; siteUrl: string },
    prices: readonly SoldPrice[],
    configurationId: string | null,
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

/** There is no such coupon or code, or it does not hold here. */
export class CouponNotValidError extends Error {
  override name = 'CouponNotValidError'
}

/** The service knows the customer no more. */
export class CustomerGoneError extends Error {
  override name = 'CustomerGoneError'
}

/** The service refuses what it was asked for, which neither the member nor another try can change. */
export class PaymentsRefusedError extends Error {
  override name = 'PaymentsRefusedError'
}

/** What was posted is not the service's, was altered, or is old. */
export class InvalidSignatureError extends Error {
  override name = 'InvalidSignatureError'
}
