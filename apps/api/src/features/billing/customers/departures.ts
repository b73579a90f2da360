import type { PaymentGateway } from '../../../integrations/payments/payment-gateway.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Logger } from '../../../platform/logger.ts'
import { noteLeaving } from '../customers.repository.ts'
import { orTellMember } from '../gateway-failures.ts'
import { readOwnSales } from '../prices/prices.repository.ts'

/**
 * Ends what a member pays, before the account is deleted. Rejects when it cannot be, and then nothing is deleted. Answers
 * since when what ended has ended because of it, which further tries within a day do not change; null for who never paid.
 */
export type EndPayments = (member: { stripeCustomerId: string | null; appId: string }) => Promise<Date | null>

type Deps = { database: Database; gateway: PaymentGateway; clock: Clock; logger: Logger }

const minuteMs = 60_000
const dayMs = 24 * 3_600_000
const notDeletedYet =
  'Your account was not deleted yet: what you pay has to end first, and our payment service does not answer at the moment. ' +
  'Please try again in a minute.'

/** Whatever is paid from the moment on in which a member asks to leave comes back, however many tries that takes. */
export function createEndPayments({ database, gateway, clock, logger }: Deps): EndPayments {
  async function leavingSince(customerId: string): Promise<Date> {
    const now = clock.now()
    const forgottenBefore = new Date(now.getTime() - dayMs)
    return await noteLeaving(database.db, customerId, { now, forgottenBefore })
  }

  return async ({ stripeCustomerId, appId }) => {
    if (stripeCustomerId === null) return null
    const since = await leavingSince(stripeCustomerId)
    // The payment service's clock may be a little behind.
    const givenBackFrom = new Date(since.getTime() - minuteMs)
    const own = await readOwnSales(database.db, [appId])
    const ending = gateway.endEverything(stripeCustomerId, own, givenBackFrom)
    const kept = await orTellMember(logger, ending, { away: notDeletedYet })
    for (const subscriptionId of kept) {
      logger.error(
        { subscriptionId },
        'the payment service refuses to give a payment back: give it back by hand',
      )
    }
    return givenBackFrom
  }
}
