import Stripe from 'stripe'

type Response = { lastResponse: { headers: Record<string, string> } }

/** More retries than any call gets within a day. */
const maxAttempts = 20

/**
 * Makes a call that Stripe performs once per key. For a day Stripe replays the first response to a key; the key of the
 * next attempt is used when the replayed response is an error or `isStale`.
 */
export async function callOnce<T extends Response>(
  key: string,
  call: (options: { idempotencyKey: string }) => Promise<T>,
  isStale: (response: T) => Promise<boolean> = async () => false,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await call({ idempotencyKey: `${key}-${attempt}` })
      const isLast = attempt === maxAttempts || !isReplayed(response.lastResponse.headers)
      if (isLast || !(await isStale(response))) return response
    } catch (error) {
      const headers = error instanceof Stripe.errors.StripeError ? error.headers : undefined
      if (attempt === maxAttempts || !isReplayed(headers)) throw error
    }
  }
}

function isReplayed(headers: Record<string, string> | undefined): boolean {
  return headers?.['idempotent-replayed'] === 'true'
}
