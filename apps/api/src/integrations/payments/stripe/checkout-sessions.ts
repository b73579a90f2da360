import type Stripe from 'stripe'
import { isRefusal } from './errors.ts'

/** Expires an open checkout session. Returns false when it was paid in this very moment, and true in every other case. */
export async function expireCheckout(stripe: Stripe, id: string): Promise<boolean> {
  try {
    await stripe.checkout.sessions.expire(id)
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { status } = await stripe.checkout.sessions.retrieve(id)
    if (status === 'open') throw error
    return status !== 'complete'
  }
}
