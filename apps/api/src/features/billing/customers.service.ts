import { CustomerGoneError, type PaymentGateway } from '../../integrations/payments/payment-gateway.ts'
import { cacheKeys } from '../../platform/cache-keys.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Staleness } from '../../platform/stale.ts'
import { lockMember, MemberNotFoundError, type MemberRow } from '../members/index.ts'
import { forgetCustomer, noteCustomer } from './billing.repository.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  staleness: Staleness
  clock: Clock
  logger: Logger
}

export type PaymentCustomers = {
  /**
   * Runs `work` with the member's one customer at the payment service, made when there is none; made once more when
   * the service has lost it.
   */
  withCustomer<T>(member: MemberRow, work: (customerId: string) => Promise<T>): Promise<T>
}

/** One customer a member, however many pages ask at once. */
export function createPaymentCustomers({
  database,
  gateway,
  staleness,
  clock,
  logger,
}: Deps): PaymentCustomers {
  async function ensure(member: MemberRow): Promise<string> {
    if (member.stripeCustomerId !== null) return member.stripeCustomerId
    const { id: memberId, appId, email } = member
    const made = await gateway.createCustomer({ memberId, appId, email })
    const noted = await database.transaction(async (tx) => {
      const row = await lockMember(tx, memberId)
      if (row === null) throw new MemberNotFoundError()
      const id = await noteCustomer(tx, { id: made, appId, memberId, now: clock.now() })
      await staleness.mark(tx, { at: [cacheKeys.member(memberId)] })
      return id
    })
    if (noted !== made) await discard(made)
    return noted
  }

  /** Another page was quicker, with another address perhaps. Nobody has paid as this one. */
  async function discard(customerId: string): Promise<void> {
    await gateway
      .removeCustomer(customerId)
      .catch((error: unknown) => logger.warn({ err: error }, 'a customer that nobody needs was left behind'))
  }

  async function forget(customerId: string, memberId: string): Promise<void> {
    await database.transaction(async (tx) => {
      await forgetCustomer(tx, customerId)
      await staleness.mark(tx, { at: [cacheKeys.member(memberId)] })
    })
    logger.warn({ memberId }, 'the payment service has lost a customer; another one is made')
  }

  return {
    async withCustomer(member, work) {
      const customerId = await ensure(member)
      try {
        return await work(customerId)
      } catch (error) {
        if (!(error instanceof CustomerGoneError)) throw error
        await forget(customerId, member.id)
        return await work(await ensure({ ...member, stripeCustomerId: null }))
      }
    },
  }
}
