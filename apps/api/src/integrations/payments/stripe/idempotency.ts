import Stripe from 'stripe'

type Answer = { lastResponse: { headers: Record<string, string> } }

/** More than anything is tried anew within a day. */
const mostTurns = 20

/**
 * Makes a call that Stripe carries out once for its key. For a day Stripe answers a key as it did at first, whatever
 * that was; when it repeats a failure, or an answer that `isStale`, the key of the next turn holds.
 */
export async function callOnce<T extends Answer>(
  key: string,
  call: (options: { idempotencyKey: string }) => Promise<T>,
  isStale: (answer: T) => Promise<boolean> = async () => false,
): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    try {
      const answer = await call({ idempotencyKey: `${key}-${turn}` })
      const isOver = turn === mostTurns || !isRepeated(answer.lastResponse.headers)
      if (isOver || !(await isStale(answer))) return answer
    } catch (error) {
      const headers = error instanceof Stripe.errors.StripeError ? error.headers : undefined
      if (turn === mostTurns || !isRepeated(headers)) throw error
    }
  }
}

function isRepeated(headers: Record<string, string> | undefined): boolean {
  return headers?.['idempotent-replayed'] === 'true'
}
