import type { PlanChangeTerms } from '@tidings/contracts/billing'
import { AppError } from '#platform/errors.ts'

/** The site has no payment service, or its prices were never brought there. */
export class PaymentsNotSetUpError extends AppError {
  constructor() {
    super('payments-not-set-up', 503, 'Payments are not set up here yet. Please try again later.')
  }
}

/** The payment service does not answer, or not in time. */
export class PaymentsAwayError extends AppError {
  constructor(
    cause: unknown,
    message = 'Our payment service does not answer at the moment. Please try again in a minute; you will not be charged twice.',
  ) {
    super('payments-unavailable', 503, message, { headers: { 'Retry-After': '10' }, cause })
  }
}

/** The payment service refuses the site's key. */
export class PaymentsMisconfiguredError extends AppError {
  constructor(cause: unknown) {
    super(
      'configuration-error',
      500,
      'Payments are not working on this site right now because of a problem with its settings. You have not been charged. Please contact us.',
      { cause },
    )
  }
}

/** The card was refused; the message is the payment service's own. */
export class CardRefusedError extends AppError {
  constructor(message: string) {
    super('card-declined', 402, message)
  }
}

/** There is no such coupon or code, or it does not hold for this. */
export class CouponRefusedError extends AppError {
  constructor() {
    super('coupon-not-valid', 400, 'This code is not valid, or it does not hold for this plan.')
  }
}

/** The price is not configured, not active, or not the one that is sold at the moment. */
export class PriceNoLongerAvailableError extends AppError {
  constructor() {
    super(
      'price-no-longer-available',
      400,
      'This price is no longer available. Please reload the page to see the plans of today.',
    )
  }
}

/** The member has never paid here. */
export class NoBillingAccountError extends AppError {
  constructor() {
    super('no-billing-account', 404, 'You have no paid plan to manage yet.')
  }
}

/** The member's customer was deleted at the payment service, which can't be undone. */
export class BillingAccountClosedError extends AppError {
  constructor(cause: unknown) {
    super(
      'billing-account-closed',
      409,
      "Your billing account was closed, so you can't pay with this account. Nothing was charged. Please contact us.",
      { cause },
    )
  }
}

/** Before anything else changes, what is owed has to be paid. */
export class PaymentDueError extends AppError {
  constructor() {
    super(
      'payment-due',
      402,
      'Your last payment did not go through. Please pay it first, where you manage your billing.',
    )
  }
}

/** The plan is being changed already, to another price. */
export class PlanChangeUnderWayError extends AppError {
  constructor() {
    super(
      'plan-change-under-way',
      409,
      'Your plan is being changed at this moment, perhaps in another window. Please look again in a moment.',
    )
  }
}

/** The terms that a member agreed to are not those of the change any more; the reply carries the new ones. */
export class PriceChangedError extends AppError {
  constructor(terms: PlanChangeTerms) {
    super(
      'price-changed',
      409,
      'The price has changed since you saw it, so nothing was changed or charged. Please look at the new price and confirm again.',
      { details: { terms } },
    )
  }
}

/** The payment service does not do what was asked for. */
export class RefusedByPaymentsError extends AppError {
  constructor(cause: unknown) {
    super(
      'payments-refused',
      409,
      'This is not possible at the moment: our payment service does not take it. Please reload the page, and write to us if it stays so.',
      { cause },
    )
  }
}

/** Who pays in one currency cannot go on in another. */
export class OtherCurrencyError extends AppError {
  constructor(paid: string, asked: string) {
    super(
      'plan-change-not-possible',
      409,
      `You pay in ${paid.toUpperCase()}, and this price is in ${asked.toUpperCase()}. Please choose one in ${paid.toUpperCase()}.`,
    )
  }
}

/** Where the browser is to go on lies on a page that may not use this app. */
export class ForeignDestinationError extends AppError {
  constructor(field: string) {
    super('domain-not-permitted', 403, `'${field}' does not lead to a page of this site.`)
  }
}
