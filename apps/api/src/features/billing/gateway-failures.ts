import {
  CardDeclinedError,
  CouponNotValidError,
  PaymentsUnavailableError,
} from '../../integrations/payments/payment-gateway.ts'
import { CardRefusedError, CouponRefusedError, PaymentsAwayError } from './billing.errors.ts'

/** Runs a call to the payment service that a member waits for, with its failures in words for them. */
export async function orTellMember<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof PaymentsUnavailableError) throw new PaymentsAwayError(error)
    if (error instanceof CardDeclinedError) throw new CardRefusedError(error.message)
    if (error instanceof CouponNotValidError) throw new CouponRefusedError()
    throw error
  }
}
