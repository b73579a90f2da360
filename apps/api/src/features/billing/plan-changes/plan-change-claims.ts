import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { Logger } from '../../../platform/logger.ts'
import { PlanChangeUnderWayError } from '../billing.errors.ts'
import { claimPlanChange, releasePlanChange, renewPlanChange } from './plan-change-claims.repository.ts'

type Deps = { database: Database; clock: Clock; ids: Ids; logger: Logger }

/** What somebody who changes a plan holds. */
type Claim = {
  /** To be called before anything is charged: holds on for longer. Throws `plan-change-under-way` when it is over. */
  renew(): Promise<void>
}

export type PlanChangeClaims = {
  /**
   * Runs `work` while nobody changes the customer's plan to another price, on any process; throws
   * `plan-change-under-way` when somebody does. The same price asked for twice at once is the same change.
   */
  holding<T>(customerId: string, priceId: string, work: (claim: Claim) => Promise<T>): Promise<T>
}

/** More than a charge takes with what goes before it: three calls, each tried three times, of eight seconds. */
const claimMs = 120_000

/** Who changes a plan, so that two changes to different prices never charge for both. */
export function createPlanChangeClaims({ database, clock, ids, logger }: Deps): PlanChangeClaims {
  const { db } = database
  const inAWhile = () => new Date(clock.now().getTime() + claimMs)

  return {
    async holding(customerId, priceId, work) {
      const call = { customerId, callId: ids.uuid() }
      const times = { now: clock.now(), until: inAWhile() }
      if (!(await claimPlanChange(db, { ...call, priceId }, times))) throw new PlanChangeUnderWayError()
      try {
        return await work({
          async renew() {
            if (!(await renewPlanChange(db, call, inAWhile()))) throw new PlanChangeUnderWayError()
          },
        })
      } finally {
        await releasePlanChange(db, call).catch((error: unknown) =>
          logger.warn({ err: error }, 'a claim on a plan was not let go of; it runs out by itself'),
        )
      }
    },
  }
}
