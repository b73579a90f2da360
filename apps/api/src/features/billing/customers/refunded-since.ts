const minuteMs = 60_000

/** Returns since when payments are refunded for a deletion: a minute before, as Stripe's clock may be behind ours. */
export function refundedSince(requestedAt: Date): Date {
  return new Date(requestedAt.getTime() - minuteMs)
}
