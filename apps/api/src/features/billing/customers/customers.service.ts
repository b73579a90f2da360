import { CustomerGoneError, type PaymentGateway } from '../../../integrations/payments/payment-gateway.ts'
import { cacheKeys } from '../../../platform/cache-keys.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Jobs } from '../../../platform/jobs.ts'
import type { Logger } from '../../../platform/logger.ts'
import type { Staleness } from '../../../platform/stale.ts'
import { lockMember, MemberNotFoundError, type MemberRow } from '../../members/index.ts'
import { addressChanged } from '../billing.jobs.ts'
import { forgetCustomer, noteCustomer } from '../customers.repository.ts'
import type { ReadingService } from '../readings/readings.service.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  jobs: Jobs
  readings: Pick<ReadingService, 'want'>
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
  jobs,
  readings,
  staleness,
  clock,
  logger,
}: Deps): PaymentCustomers {
  async function ensure(member: MemberRow): Promise<string> {
    return member.stripeCustomerId ?? (await make(member, null))
  }

  /** Makes a customer for a member, in the place of one that the payment service has lost. */
  async function make({ id: memberId, appId, email }: MemberRow, lost: string | null): Promise<string> {
    const made = await gateway.createCustomer({ memberId, appId, email })
    const noted = await database.transaction(async (tx) => {
      const row = await lockMember(tx, memberId)
      if (row === null) throw new MemberNotFoundError()
      if (lost !== null) await forgetCustomer(tx, lost)
      const id = await noteCustomer(tx, { id: made, appId, memberId, now: clock.now() })
      // What the lost one paid for is closed by reading what the new one pays.
      if (lost !== null) await readings.want(tx, [id])
      // It was made with the address of before.
      if (id === made && row.email !== email) await jobs.enqueue(tx, addressChanged, { memberId })
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

  /** The lost one stays known until there is another: whatever hangs on it has to be closed even if none can be made. */
  async function replace(lost: string, member: MemberRow): Promise<string> {
    logger.warn({ memberId: member.id }, 'the payment service has lost a customer; another one is made')
    await database.transaction((tx) => readings.want(tx, [lost]))
    return await make(member, lost)
  }

  return {
    async withCustomer(member, work) {
      const customerId = await ensure(member)
      try {
        return await work(customerId)
      } catch (error) {
        if (!(error instanceof CustomerGoneError)) throw error
        return await work(await replace(customerId, member))
      }
    },
  }
}
