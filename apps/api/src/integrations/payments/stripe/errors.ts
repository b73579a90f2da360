import Stripe from 'stripe'
import {
  CardDeclinedError,
  CouponNotValidError,
  PaymentsKeyRefusedError,
  PaymentsRefusedError,
  PaymentsUnavailableError,
} from '../payment-gateway.ts'

/** Types of the SDK's errors after which another try may do better, or another key. */
const away = ['StripeConnectionError', 'StripeAPIError', 'StripeRateLimitError']
/** Statuses 401 and 403: the key is wrong, revoked or expired, or may do less than the site needs. */
const keyRefused = ['StripeAuthenticationError', 'StripePermissionError']
const needsAuthentication = [
  'authentication_required',
  'invoice_payment_intent_requires_action',
  'subscription_payment_intent_requires_action',
]
const couponCodes = ['coupon_expired', 'promotion_code_invalid', 'promotion_code_expired']
const couponParam = /^(?:discounts|coupon|promotion_code)\b/
const aboutCoupon = /\b(?:coupon|promotion code)\b/i

/**
 * Runs a conversation with Stripe and tells its failures in the role's words. Whatever Stripe says may quote an
 * address or a key, so only its codes are repeated; what it says of a card is written for people.
 */
export async function translateErrors<T>(talk: () => Promise<T>): Promise<T> {
  try {
    return await talk()
  } catch (error) {
    throw failureOf(error)
  }
}

/** A function that fails in the role's words. */
export function translated<Arguments extends unknown[], Result>(
  call: (...given: Arguments) => Promise<Result>,
): (...given: Arguments) => Promise<Result> {
  return (...given) => translateErrors(() => call(...given))
}

/** Whether Stripe knows no such object, or no more. */
export function isMissing(error: unknown): boolean {
  return isStripeError(error) && error.code === 'resource_missing'
}

/** Whether Stripe doesn't know the customer that a call named. */
export function isCustomerMissing(error: unknown): boolean {
  if (!isStripeError(error) || error.code !== 'resource_missing') return false
  return error.param === 'customer' || error.message.startsWith('No such customer')
}

/** Whether Stripe refused a call as it was asked for, with one of these codes if any are named. */
export function isRefusal(error: unknown, ...codes: string[]): boolean {
  if (!isStripeError(error) || error.type !== 'StripeInvalidRequestError') return false
  return codes.length === 0 || codes.includes(error.code ?? '')
}

/** Whether another request with the same idempotency key is still being carried out. */
export function isUnderWay(error: unknown): boolean {
  return isStripeError(error) && error.code === 'idempotency_key_in_use'
}

/** Whether the key may not do what was asked for: a restricted one can be given less than all. */
export function isForbidden(error: unknown): boolean {
  return isStripeError(error) && error.type === 'StripePermissionError'
}

function failureOf(error: unknown): unknown {
  if (!isStripeError(error)) return error
  const { type, code = '' } = error
  if (keyRefused.includes(type)) return new PaymentsKeyRefusedError(summaryOf(error))
  if (away.includes(type)) return new PaymentsUnavailableError(summaryOf(error))
  if (needsAuthentication.includes(code)) return new CardDeclinedError(wantsAuthentication)
  if (type === 'StripeCardError') return new CardDeclinedError(error.message)
  if (isWithoutCard(error)) return new CardDeclinedError(wantsCard)
  if (isAboutCoupon(error)) return new CouponNotValidError(summaryOf(error))
  return new PaymentsRefusedError(summaryOf(error))
}

const wantsAuthentication =
  'Your bank wants you to confirm this payment. Please enter your card anew on the billing page and try again.'
const wantsCard = 'There is no card to charge. Please add one on the billing page and try again.'

function isStripeError(error: unknown) {
  return error instanceof Stripe.errors.StripeError
}

function isWithoutCard({ code, message }: Stripe.errors.StripeError) {
  return code === 'resource_missing' && message.includes('no attached payment source')
}

function isAboutCoupon({ type, code = '', param = '', message }: Stripe.errors.StripeError) {
  if (type !== 'StripeInvalidRequestError') return false
  return couponCodes.includes(code) || couponParam.test(param) || (param === '' && aboutCoupon.test(message))
}

/** What is known of a failure, without Stripe's sentence. */
function summaryOf(error: Stripe.errors.StripeError): string {
  const { type, code, param, statusCode, requestId } = error
  const status = statusCode === undefined ? undefined : `status ${statusCode}`
  const reason = type === 'StripeConnectionError' ? connectionReason(error) : code
  return [type, reason, param, status, requestId].flatMap((part) => wordsOf(part)).join(', ')
}

function connectionReason({ message, detail }: Stripe.errors.StripeError) {
  if (message.includes('timeout')) return 'timeout'
  return detail instanceof Error && 'code' in detail ? String(detail.code) : undefined
}

function wordsOf(part: string | undefined): string[] {
  return part !== undefined && /^[\w .[\]-]{1,80}$/.test(part) ? [part] : []
}
