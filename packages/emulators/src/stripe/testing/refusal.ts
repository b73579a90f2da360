import Stripe from 'stripe'

/** What Stripe's SDK threw for a call that had to be refused. */
export async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Stripe.errors.StripeError) return error
  throw new Error('It was not refused.')
}
