/** The person that a mail is for, and the name of the site or app that it speaks for. */
type Envelope = { to: string; appName: string }

/** A one-time code, and for how many minutes it holds. */
type Code = { code: string; minutes: number }

/** An amount in minor units of its currency. */
type Money = { amount: number; currency: string }

/** A `task` is a refund that is up to the merchant. */
type RefundedPayment = Money & { status: 'refunded' | 'failed' | 'task' }

/** What a plan costs: each month, each year, or once. `regularAmount`: once discounts that end have ended. */
type Price = Money & { interval: 'MONTHLY' | 'YEARLY' | null; regularAmount?: number | undefined }

/** What was charged already; null when that is still to come. */
type Charged = { charged?: number | null | undefined }

/** The page to go on from, whom to write to, and the IANA zone whose days the mail names. */
type PlanEnvelope = Envelope & { pageUrl: string; contact: string; timeZone: string }

/** Every mail about what a member pays for, by what has happened. */
export type PlanMail = PlanEnvelope &
  /** Welcome and receipt in one; `invoiceUrl` shows what was paid. */
  (
    | ({
        kind: 'subscribed'
        planName: string
        nextBillingDate: Date | null
        invoiceUrl: string | null
      } & Price &
        Charged)
    /** `payUrl` is the page that mends it; `accessUntil` is null where the plan is closed already. */
    | ({ kind: 'payment-failed'; planName: string; payUrl: string | null; accessUntil: Date | null } & Money)
    /** The time to pay is over, or a trial is and nothing can be charged; `payUrl` as above. */
    | ({ kind: 'plan-closed'; planName: string; payUrl: string | null } & Money)
    /** `wasScheduled`: it had been waiting for the end of what was paid. */
    | ({
        kind: 'plan-changed'
        fromPlanName: string
        toPlanName: string
        nextBillingDate: Date | null
        wasScheduled: boolean
      } & Price &
        Charged)
    /** From `at` on the member has the other plan, for this price. */
    | ({ kind: 'plan-change-scheduled'; fromPlanName: string; toPlanName: string; at: Date } & Price)
    /** The other plan that was to follow does not. */
    | ({
        kind: 'plan-change-canceled'
        fromPlanName: string
        toPlanName: string
        nextBillingDate: Date | null
      } & Price)
    | { kind: 'subscription-ending'; planName: string; endsAt: Date }
    /** It was to end, and does not. */
    | { kind: 'subscription-resumed'; planName: string; nextBillingDate: Date | null }
    | { kind: 'subscription-ended'; planName: string }
    /** The last try to charge for it has failed. */
    | { kind: 'subscription-ended-unpaid'; planName: string }
    /** A payment came twice (`isSecond`) or too late, and was to be refunded. */
    | ({ kind: 'refund'; isSecond: boolean } & RefundedPayment)
    /** The subscription was canceled because its payment is disputed. */
    | { kind: 'payment-disputed'; planName: string }
  )

/** Every mail about an account, by what it is for. */
export type AccountMail = Envelope &
  (
    | ({ kind: 'reset-code' } & Code)
    /** `fromSignup`: somebody tried to sign up with an address that has an account already. */
    | ({ kind: 'login-code'; fromSignup: boolean } & Code)
    | ({ kind: 'signup-code' } & Code)
    /** `link` leads to a page with a button; opening it changes nothing. */
    | ({ kind: 'verification'; link: string } & Code)
    /** Goes to the old address, which can reset nothing any more: `contact` is the address of people who can help. */
    | { kind: 'email-changed'; newEmail: string; contact: string }
    | { kind: 'password-changed'; resetUrl: string }
    /** Its address was never verified; logging in until `removedAt` keeps it. */
    | { kind: 'account-expiring'; removedAt: Date; timeZone: string; loginUrl: string }
    /** The first proof of the address removed what an earlier owner could have left. */
    | {
        kind: 'address-proved'
        password: 'removed' | 'replaced' | null
        providerNames: string[]
        sessionsEnded: number
        accountUrl: string
      }
    | { kind: 'provider-connected'; providerName: string; accountUrl: string }
    /** `planName` is what was paid for until then; null for nothing. */
    | { kind: 'account-deleted'; planName: string | null; refunds: RefundedPayment[]; contact: string }
  )

/** Every mail that we send to a member. */
export type Mail = AccountMail | PlanMail

/** Hands mails to a server that delivers them. */
export type Mailer = {
  /**
   * Returns once the server has taken the mail. The same `messageId` (letters, digits, dots and dashes) marks a mail
   * that is sent again as the same one. Throws {@link MailRefusedError} when trying again is of no use, else
   * {@link MailUnavailableError}; neither quotes the address or the code.
   */
  send(mail: Mail, options: { messageId: string }): Promise<void>
  /** Closes the connections that are kept open. */
  close(): void
}

/** The server will never take this mail: the address is malformed or refused for good. */
export class MailRefusedError extends Error {
  constructor(reason: string) {
    super(`The mail was refused: ${reason}`)
    this.name = 'MailRefusedError'
  }
}

/** The mail could not be handed over at the moment; it may be tried again. */
export class MailUnavailableError extends Error {
  constructor(reason: string) {
    super(`The mail could not be sent: ${reason}`)
    this.name = 'MailUnavailableError'
  }
}
