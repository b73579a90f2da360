/** Stripe can't be reached, timed out or is overloaded. Retrying is safe. */
export class PaymentsUnavailableError extends Error {
  override name = 'PaymentsUnavailableError'
}

/** The card was declined; `message` is for the member. */
export class CardDeclinedError extends Error {
  override name = 'CardDeclinedError'
}

export class CouponNotValidError extends Error {
  override name = 'CouponNotValidError'
}

/** The price was archived at Stripe. */
export class PriceArchivedError extends Error {
  override name = 'PriceArchivedError'
}

/** An earlier checkout of the member was just paid, and no other is open. */
export class AlreadyPaidError extends Error {
  override name = 'AlreadyPaidError'
}

/** Stripe says that the customer was deleted. An unknown customer is a {@link PaymentsRefusedError}. */
export class CustomerDeletedError extends Error {
  override name = 'CustomerDeletedError'
}

/** Stripe refused the request as invalid; retrying doesn't help. */
export class PaymentsRefusedError extends Error {
  override name = 'PaymentsRefusedError'
}

/** Stripe refused the secret key: it is wrong, revoked, expired or restricted. */
export class PaymentsKeyRefusedError extends PaymentsRefusedError {
  override name = 'PaymentsKeyRefusedError'
}

/** The key belongs to another account or mode than the database; `message` is for the operator. */
export class WrongPaymentAccountError extends PaymentsKeyRefusedError {
  override name = 'WrongPaymentAccountError'
}

/** A concurrent request has changed the subscription; this one changed nothing. */
export class SubscriptionChangedError extends Error {
  override name = 'SubscriptionChangedError'
}

/** The webhook isn't signed by Stripe, was altered, or is too old. */
export class InvalidSignatureError extends Error {
  override name = 'InvalidSignatureError'
}

/** A signed webhook is not a known event; `message` doesn't quote it. */
export class UnreadableEventError extends Error {
  override name = 'UnreadableEventError'
}
