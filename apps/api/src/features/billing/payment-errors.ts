import {
  CardDeclinedError,
  CouponNotValidError,
  CustomerDeletedError,
  PaymentsKeyRefusedError,
  PaymentsRefusedError,
  PaymentsUnavailableError,
  PriceArchivedError,
  SubscriptionChangedError,
} from '#integrations/payments/gateway-errors.ts'
import type { Logger } from '#platform/logger.ts'
import { fail } from './billing.errors.ts'

/** Awaits a gateway call that a member waits for, and throws its errors as the caller's. */
export async function asPaymentErrors<T>(logger: Logger, call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    // The adapter has already logged this one.
    if (error instanceof PaymentsKeyRefusedError) throw fail('configuration-error', error)
    if (error instanceof PaymentsUnavailableError) {
      logger.warn({ err: error }, 'payment service unavailable')
      throw fail('payments-unavailable', error)
    }
    if (error instanceof CardDeclinedError) throw fail('card-declined', error.message)
    if (error instanceof CouponNotValidError) throw fail('coupon-not-valid')
    if (error instanceof PriceArchivedError) {
      logger.error({ err: error }, 'price archived at Stripe: run `tidings payments sync`')
      throw fail('price-no-longer-available')
    }
    if (error instanceof CustomerDeletedError) {
      logger.error({ err: error }, 'payment customer deleted')
      throw fail('billing-account-closed', error)
    }
    if (error instanceof SubscriptionChangedError) throw fail('plan-change-under-way')
    if (!(error instanceof PaymentsRefusedError)) throw error
    // A member can't cause this, so the operator has to look.
    logger.error({ err: error }, 'payment request refused')
    throw fail('payments-refused', error)
  }
}
