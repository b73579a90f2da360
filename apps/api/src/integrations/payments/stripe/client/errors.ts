import Stripe from 'stripe'
import {
  CardDeclinedError,
  CouponNotValidError,
  CustomerDeletedError,
  PaymentsKeyRefusedError,
  PaymentsRefusedError,
  PaymentsUnavailableError,
  PriceArchivedError,
} from '#integrations/payments/gateway-errors.ts'

const unavailable = ['StripeConnectionError', 'StripeAPIError', 'StripeRateLimitError']
/** Statuses 401 and 403: the key is wrong, revoked, expired or lacks a permission. */
const keyRefused = ['StripeAuthenticationError', 'StripePermissionError']
const needsAuthentication = [
  'authentication_required',
  'invoice_payment_intent_requires_action',
  'subscription_payment_intent_requires_action',
]
const authenticationMessage =
  'Your bank needs you to confirm this payment. Enter your card again on the billing page, then try again.'
const noCardMessage = 'You have no card on file. Add one on the billing page, then try again.'
const couponCodes = ['coupon_expired', 'promotion_code_invalid', 'promotion_code_expired']
const couponParam = /^(?:discounts|coupon|promotion_code)\b/
const aboutCoupon = /\b(?:coupon|promotion code)\b/i

/**
 * Runs calls to Stripe and translates their errors to the port's. Stripe's messages may quote an email or a key, so only
 * its codes are repeated, and the message about a card, which is written for customers.
 */
export async function translateErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw portErrorOf(error)
  }
}

/** Runs calls about a customer. Throws {@link CustomerDeletedError} if Stripe says that it was deleted. */
export async function forCustomer<T>(stripe: Stripe, customerId: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!isCustomerMissing(error) || !(await isDeleted(stripe, customerId))) throw error
    throw new CustomerDeletedError(`${customerId} was deleted`)
  }
}

async function isDeleted(stripe: Stripe, customerId: string): Promise<boolean> {
  return (await stripe.customers.retrieve(customerId)).deleted === true
}

/** Returns whether Stripe has no such object. */
export function isMissing(error: unknown): boolean {
  return isStripeError(error) && error.code === 'resource_missing'
}

/** Returns what a call read; null if Stripe has no such object. */
export async function orMissing<T>(reading: Promise<T>): Promise<T | null> {
  return await reading.catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
}

/** Returns whether Stripe has no customer with the id that a call named. */
function isCustomerMissing(error: unknown): boolean {
  if (!isStripeError(error) || error.code !== 'resource_missing') return false
  return error.param === 'customer' || error.message.startsWith('No such customer')
}

/** Returns whether Stripe refused a request as invalid, with one of the codes if any are given. */
export function isRefusal(error: unknown, ...codes: string[]): boolean {
  if (!isStripeError(error) || error.type !== 'StripeInvalidRequestError') return false
  return codes.length === 0 || codes.includes(error.code ?? '')
}

/** Returns whether Stripe refused a coupon or promotion code. */
export function isCouponRefusal(error: unknown): boolean {
  return isStripeError(error) && isAboutCoupon(error)
}

/** Returns whether a request with the same idempotency key is still running. */
export function isInProgress(error: unknown): boolean {
  return isStripeError(error) && error.code === 'idempotency_key_in_use'
}

/** Returns whether a restricted key lacks the permission. */
export function isForbidden(error: unknown): boolean {
  return isStripeError(error) && error.type === 'StripePermissionError'
}

function portErrorOf(error: unknown): unknown {
  if (!isStripeError(error)) return error
  const { type, code = '' } = error
  if (keyRefused.includes(type)) return new PaymentsKeyRefusedError(summaryOf(error))
  if (unavailable.includes(type)) return new PaymentsUnavailableError(summaryOf(error))
  if (needsAuthentication.includes(code)) return new CardDeclinedError(authenticationMessage)
  if (type === 'StripeCardError') return new CardDeclinedError(error.message)
  if (isWithoutCard(error)) return new CardDeclinedError(noCardMessage)
  if (isAboutArchivedPrice(error)) return new PriceArchivedError(summaryOf(error))
  if (isAboutCoupon(error)) return new CouponNotValidError(summaryOf(error))
  return new PaymentsRefusedError(summaryOf(error))
}

function isStripeError(error: unknown) {
  return error instanceof Stripe.errors.StripeError
}

function isWithoutCard({ code, message }: Stripe.errors.StripeError) {
  return code === 'resource_missing' && message.includes('no attached payment source')
}

/** Stripe has no code for it. */
function isAboutArchivedPrice({ type, message }: Stripe.errors.StripeError) {
  return type === 'StripeInvalidRequestError' && message.startsWith('The price specified is inactive')
}

function isAboutCoupon({ type, code = '', param = '', message }: Stripe.errors.StripeError) {
  if (type !== 'StripeInvalidRequestError') return false
  return couponCodes.includes(code) || couponParam.test(param) || (param === '' && aboutCoupon.test(message))
}

/** Summarizes an error without Stripe's message. */
function summaryOf(error: Stripe.errors.StripeError): string {
  const { type, code, param, statusCode, requestId } = error
  const status = statusCode === undefined ? undefined : `status ${statusCode}`
  const reason = type === 'StripeConnectionError' ? connectionReason(error) : code
  return [type, reason, param, status, requestId].filter(isPlainText).join(', ')
}

function connectionReason({ message, detail }: Stripe.errors.StripeError) {
  if (message.includes('timeout')) return 'timeout'
  return detail instanceof Error && 'code' in detail ? String(detail.code) : undefined
}

function isPlainText(part: string | undefined): boolean {
  return part !== undefined && /^[\w .[\]-]{1,80}$/.test(part)
}
