import Stripe from 'stripe'

/** More retries than any call gets within a day. */
const maxAttempts = 20

/**
 * Makes a call that Stripe performs once per key. For a day Stripe replays the first response to a key; the key of the
 * next attempt is used when the replayed response is an error.
 */
export async function callOnce<T>(
  key: string,
  call: (options: { idempotencyKey: string }) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call({ idempotencyKey: `${key}-${attempt}` })
    } catch (error) {
      const headers = error instanceof Stripe.errors.StripeError ? error.headers : undefined
      const isReplayed = headers?.['idempotent-replayed'] === 'true'
      if (attempt === maxAttempts || !isReplayed) throw error
    }
  }
}
