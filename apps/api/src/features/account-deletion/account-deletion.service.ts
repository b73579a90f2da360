import type { CustomerDeletion, CustomerOutcome } from '#features/billing/index.ts'
import { type EmailService, lockAddresses } from '#features/mail/index.ts'
import { type MemberRow, paidPlanOf } from '#features/members/index.ts'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { closeAccount } from './account-deletion.jobs.ts'
import {
  createDeletion,
  type DeletionRow,
  findDeletion,
  freeAddress,
  listDueDeletions,
  lockDeletion,
  postponeDeletion,
  removeDeletion,
} from './account-deletion.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'jobs' | 'apps' | 'clock' | 'logger'> & {
  customers: CustomerDeletion
  emails: EmailService
}

const minuteMs = 60_000
/** After this time without success, the member is told that the account is still being closed. */
const delayToldMs = minuteMs
const attemptEveryMs = 10 * minuteMs
const waitMs = 60 * minuteMs
/** After this time, the operator has to look. */
const overdueMs = 24 * 60 * minuteMs
const perSweep = 100

/**
 * Closes deleted accounts (ADR 0068): cancels and refunds, removes the customer at Stripe, then frees the address. Each
 * step may run twice, at once, and again after a crash.
 */
export function createAccountDeletion(deps: Deps) {
  const { database, jobs, apps, clock, customers, emails, logger } = deps
  const inMs = (ms: number) => new Date(clock.now().getTime() + ms)

  /** Stores an email to the member. An unproved address may be another person's: it reads nothing about payments. */
  async function enqueue(tx: Db, deletion: DeletionRow, outcome: CustomerOutcome | 'closing'): Promise<void> {
    const { memberId, appId, recipient: to, isProved } = deletion
    const app = (await apps.directory()).byId.get(appId)
    const isClosing = outcome === 'closing'
    if (app === undefined || to === null || (isClosing && !isProved)) return
    const cause = memberId
    // An email that says that the account is being closed must not follow the one that says that it is done.
    if (!isClosing) await emails.withdraw(tx, app, 'account-closing', cause)
    const planName = isProved ? deletion.planName : null
    const refunds = isProved ? await customers.listRefunds(deletion) : []
    const customer = isClosing || !isProved ? null : customerTextOf(outcome)
    const email = isClosing
      ? ({ kind: 'account-closing', planName, refunds } as const)
      : ({ kind: 'account-deleted', planName, refunds, customer } as const)
    await emails.enqueue(tx, app, to, email, { cause })
  }

  function customerTextOf(outcome: CustomerOutcome) {
    if (outcome !== 'kept') return outcome
    return customers.mode === 'keep' ? 'redacted-later' : 'deleted-later'
  }

  /** Tells the member once that the deletion takes longer, unless the account is closed by now. */
  async function tellDelay({ memberId, requestedAt }: DeletionRow): Promise<void> {
    if (clock.now().getTime() - requestedAt.getTime() < delayToldMs) return
    await database.transaction(async (tx) => {
      const current = await lockDeletion(tx, memberId)
      if (current !== null) await enqueue(tx, current, 'closing')
    })
  }

  /** Stores that the customer is removed or waits, and frees the address with an email that says so. */
  async function complete({ memberId }: DeletionRow, outcome: CustomerOutcome): Promise<void> {
    const isClosed = await database.transaction(async (tx) => {
      const current = await lockDeletion(tx, memberId)
      if (current === null) return false
      await enqueue(tx, current, outcome)
      if (outcome === 'kept') await freeAddress(tx, memberId, inMs(waitMs))
      else await removeDeletion(tx, memberId)
      return current.email !== null
    })
    if (isClosed) logger.info({ memberId, customer: outcome }, 'account closed')
  }

  async function close(memberId: string): Promise<void> {
    const deletion = await findDeletion(database.db, memberId)
    if (deletion === null) return
    await postponeDeletion(database.db, memberId, inMs(attemptEveryMs))
    try {
      if (deletion.email !== null && !(await customers.settle(deletion))) {
        await postponeDeletion(database.db, memberId, inMs(waitMs))
        return await tellDelay(deletion)
      }
      await complete(deletion, await customers.remove(deletion))
    } catch (error) {
      await tellDelay(deletion)
      const { requestedAt } = deletion
      if (clock.now().getTime() - requestedAt.getTime() > overdueMs)
        logger.error({ err: error, memberId, requestedAt }, 'account deletion overdue')
      throw error
    }
  }

  return {
    close,
    /**
     * Stores, in the transaction that deletes the member, what is left to do for their payments. Returns false if there is
     * nothing to do.
     */
    async request(tx: Db, app: MembershipApp, row: MemberRow): Promise<boolean> {
      const { id: memberId, appId, email, stripeCustomerId: customerId } = row
      if (customerId === null) return false
      const planName = paidPlanOf(row, app)
      const requestedAt = clock.now()
      const proved = (await lockAddresses(tx, memberId))?.proved ?? null
      const recipient = proved ?? (planName === null ? null : email)
      const told = { recipient, isProved: proved !== null, planName }
      const times = { requestedAt, nextAttemptAt: inMs(attemptEveryMs) }
      await createDeletion(tx, { memberId, appId, customerId, email, ...told, ...times })
      await customers.request(tx, customerId)
      await jobs.enqueue(tx, closeAccount, { memberId })
      return true
    },
    /** Continues the deletions that are due. */
    async sweep(): Promise<void> {
      for (const memberId of await listDueDeletions(database.db, clock.now(), perSweep)) {
        await close(memberId).catch((error: unknown) =>
          logger.warn({ err: error, memberId }, 'account closing failed'),
        )
      }
    },
  }
}
