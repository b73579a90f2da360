/** A subscription at Stripe. `planId` is null for another product than those of the plans. */
export type SubscriptionFact = {
  id: string
  planId: string | null
  status: string
  created: number
  endedAt: number | null
  /** Whether it ends without the site: it was canceled in the portal, or its last payment failed. */
  endsByItself: boolean
  cancelAt: number | null
  periodEnd: number
  amount: number
  currency: string
}

/** An invoice at Stripe. The period is that of its lines. */
export type InvoiceFact = {
  id: string
  subscriptionId: string
  isOwn: boolean
  status: string
  reason: string
  created: number
  periodStart: number
  periodEnd: number
  total: number
  amountDue: number
  amountPaid: number
  /** Whether Stripe goes on with it by itself: it finalizes a draft and collects. */
  isAdvancing: boolean
  /** When the youngest of its discounts began; null without one. */
  discountedSince: number | null
}

/** A successful charge at Stripe. */
export type ChargeFact = {
  id: string
  invoiceId: string
  subscriptionId: string
  isOwn: boolean
  at: number
  amount: number
  refunds: { amount: number; isAutomatic: boolean }[]
  /** Whether its bank holds or keeps the money. */
  isDisputed: boolean
}

/** A paid plan as `GET /member` shows it; dates in seconds, the amount in minor units. */
export type ShownPlan = {
  planId: string
  isActive: boolean
  amount: number | null
  currency: string | null
  nextBillingDate: number | null
  cancelAtDate: number | null
  /** The amount of the next payment; null while the site doesn't name it. */
  renewalAmount: number | null
}

export type MailFact = { at: number; subject: string; text: string }

/** The next payment as the site named it, before a time in which the member did nothing. */
export type Announcement = { from: number; amount: number }

/** An upgrade that the site confirmed, with what it said it charges. */
export type Agreement = { at: number; amountDue: number }

/**
 * The auditor's facts about one member: the objects at Stripe, and the words of the site and its emails. Times are
 * seconds since 1970, amounts are in minor units.
 */
export type Facts = {
  now: number
  graceSeconds: number
  /** When the deletion of the account was requested; null before that. */
  deletedAt: number | null
  subscriptions: SubscriptionFact[]
  invoices: InvoiceFact[]
  charges: ChargeFact[]
  /** The plans as each process of the API shows them; empty for a deleted account. */
  shown: { process: string; plans: ShownPlan[] }[]
  mails: MailFact[]
  agreements: Agreement[]
  announcements: Announcement[]
  /** Every amount that a renewal can cost, with and without the coupons that exist. */
  prices: ReadonlySet<number>
}

/** The finding of a rule. `subject` names the object, so that a finding is reported once. */
export type Finding = { subject: string; text: string }
