import { Prisma } from '#generated/prisma/client.ts'

/** Adds an attempt to the log of the row `delivery`. */
function added(outcome: Prisma.Sql, reply: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce(delivery.attempt_log, '[]') || jsonb_build_object(
    'at', delivery.claimed_at, 'outcome', ${outcome}, 'reply', left(coalesce(${reply}, ''), 300))`
}

/** Returns the log after an `outcome`. The first attempt that is accepted has none, as its row says all of it. */
export const logWithOutcome = Prisma.sql`
  CASE WHEN outcome.attempt = 'accepted' AND delivery.attempts <= 1 AND delivery.attempt_log IS NULL THEN NULL
  ELSE ${added(Prisma.sql`outcome.attempt`, Prisma.sql`outcome.reason`)} END`

/** Returns the log after a worker was lost. A reply that arrives later replaces the entry, as it is the same attempt. */
export const logWithoutReply = added(
  Prisma.sql`'unknown'`,
  Prisma.sql`'The worker stopped before it had the reply.'`,
)
