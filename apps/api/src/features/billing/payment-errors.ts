import {
  CardDeclinedError,
  CouponNotValidError,
  CustomerDeletedError,
  PaymentsKeyRefusedError,
  PaymentsRefusedError,
  PaymentsUnavailableError,
  SubscriptionChangedError,
} from '#integrations/payments/payment-gateway.ts'
import type { Logger } from '#platform/logger.ts'
import {
  BillingAccountClosedError,
  CardRefusedError,
  CouponRefusedError,
  PaymentsAwayError,
  PaymentsMisconfiguredError,
  PlanChangeUnderWayError,
  RefusedByPaymentsError,
} from './billing.errors.ts'

/**
 * Runs a call to the payment service that a member waits for, with its failures in words for them; `away` is what is said
 * while the service does not answer, if not that nothing is charged twice.
 */
export async function asPaymentErrors<T>(
  logger: Logger,
  work: Promise<T>,
  { away }: { away?: string } = {},
): Promise<T> {
  try {
    return await work
  } catch (error) {
    // The adapter has logged it for the operator.
    if (error instanceof PaymentsKeyRefusedError) throw new PaymentsMisconfiguredError(error)
    if (error instanceof PaymentsUnavailableError) {
      logger.warn({ err: error }, 'the payment service did not answer somebody who waited for it')
      throw new PaymentsAwayError(error, away)
    }
    if (error instanceof CardDeclinedError) throw new CardRefusedError(error.message)
    if (error instanceof CouponNotValidError) throw new CouponRefusedError()
    if (error instanceof CustomerDeletedError) {
      logger.error({ err: error }, 'payment customer was deleted')
      throw new BillingAccountClosedError(error)
    }
    if (error instanceof SubscriptionChangedError) throw new PlanChangeUnderWayError()
    if (!(error instanceof PaymentsRefusedError)) throw error
    // Nothing that a member does should come to this: whoever runs the site has to look.
    logger.error({ err: error }, 'the payment service refused what a member asked for')
    throw new RefusedByPaymentsError(error)
  }
}
