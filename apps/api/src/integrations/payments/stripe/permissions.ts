import type Stripe from 'stripe'
import { isForbidden, isRefusal } from './errors.ts'

/** No object has this id, so a call that names it is refused and changes nothing. */
const nothing = 'tidings_permission_check'
const one = { limit: 1 }

const calls: [name: string, call: (stripe: Stripe) => Promise<unknown>][] = [
  ['products (write)', (stripe) => stripe.products.update(nothing, {})],
  ['prices (write)', (stripe) => stripe.prices.update(nothing, {})],
  ['customers (write)', (stripe) => stripe.customers.update(nothing, {})],
  ['checkout sessions (write)', (stripe) => stripe.checkout.sessions.expire(nothing)],
  ['customer portal (write)', (stripe) => stripe.billingPortal.configurations.update(nothing, {})],
  ['subscriptions (write)', (stripe) => stripe.subscriptions.update(nothing, {})],
  ['subscription schedules (write)', (stripe) => stripe.subscriptionSchedules.release(nothing)],
  ['invoices (write)', (stripe) => stripe.invoices.voidInvoice(nothing)],
  ['refunds (write)', (stripe) => stripe.refunds.update(nothing, {})],
  ['charges (read)', (stripe) => stripe.charges.retrieve(nothing)],
  ['disputes (read)', (stripe) => stripe.disputes.list(one)],
  ['invoice payments (read)', (stripe) => stripe.invoicePayments.retrieve(nothing)],
  ['coupons (read)', (stripe) => stripe.coupons.retrieve(nothing)],
  ['promotion codes (read)', (stripe) => stripe.promotionCodes.list(one)],
]

/**
 * Returns the permissions that a restricted key lacks. Stripe checks the permission before the object, so each write is
 * tried at an object that doesn't exist.
 */
export async function missingPermissions(stripe: Stripe): Promise<string[]> {
  const missing: string[] = []
  for (const [name, call] of calls) {
    try {
      await call(stripe)
    } catch (error) {
      if (isForbidden(error)) missing.push(name)
      else if (!isRefusal(error)) throw error
    }
  }
  return missing
}
