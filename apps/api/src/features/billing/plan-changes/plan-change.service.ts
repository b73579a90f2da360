import type { PlanChangeTerms, planChangeByPriceRequest } from '@tidings/contracts/membership/billing'
import type { Member } from '@tidings/contracts/membership/members'
import type { z } from 'zod'
import { fail as failMember, findMember, type MemberService } from '#features/members/index.ts'
import { fail as failPlan } from '#features/plans/index.ts'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { fail } from '../billing.errors.ts'
import { restoreSchedule } from '../billing.jobs.ts'
import { type CustomerRow, findCustomer } from '../customers/customers.repository.ts'
import { asPaymentErrors } from '../payment-errors.ts'
import type { SubscriptionSync } from '../sync/subscription-sync.service.ts'
import { isAgreed } from './agreed-terms.ts'
import { type PrepareDeps, type PreparedChange, prepareChange } from './prepared-change.ts'

type Deps = PrepareDeps &
  Pick<BillingDeps, 'jobs' | 'logger'> & {
    subscriptionSync: SubscriptionSync
    members: MemberService
  }

/** Longer than all calls of an upgrade take. */
const restoredAfter = { seconds: 300 }

export type PlanChangeService = ReturnType<typeof createPlanChangeService>

export function createPlanChangeService(deps: Deps) {
  const { database, gateway, jobs, offers, subscriptionSync, members, logger } = deps

  async function getCustomer(memberId: string): Promise<CustomerRow> {
    const row = await findMember(database.db, memberId)
    if (row === null) throw failMember('member-not-found')
    const customerId = row.stripeCustomerId
    const customer = customerId === null ? null : await findCustomer(database.db, customerId)
    if (customer === null) throw failPlan('no-plan-found')
    return customer
  }

  /** Lets a job restore a scheduled change that an upgrade drops, if the process ends before it is charged. */
  async function restoreLater({ id: subscriptionId, itemId, schedule }: Subscription): Promise<void> {
    if (schedule === null) return
    const dropped = { subscriptionId, itemId, scheduleId: schedule.id }
    await database.transaction((tx) =>
      jobs.enqueue(tx, restoreSchedule, dropped, { startAfter: restoredAfter }),
    )
  }

  async function apply(customerId: string, prepared: PreparedChange): Promise<void> {
    const { kind, subscription, priceId, proratedAt } = prepared
    if (kind === 'upgrade') await restoreLater(subscription)
    try {
      await asPaymentErrors(
        logger,
        kind === 'upgrade'
          ? gateway.changeNow(subscription, priceId, proratedAt)
          : gateway.changeAtPeriodEnd(subscription, priceId),
      )
    } catch (error) {
      // The change may have been made although its response was lost.
      await database.transaction((tx) => subscriptionSync.request(tx, [customerId]))
      throw error
    }
  }

  /** Syncs now if possible: Stripe has the change, and our record may follow a moment later. */
  async function syncNow(customerId: string): Promise<void> {
    try {
      await subscriptionSync.sync(customerId)
    } catch (error) {
      logger.warn({ err: error }, 'subscription sync failed')
      await database.transaction((tx) => subscriptionSync.request(tx, [customerId]))
    }
  }

  return {
    /**
     * Previews a change. Throws `no-plan-found`, `already-have-plan`, `payment-due`, `plan-canceled`,
     * `payments-paused` and `plan-change-not-possible`.
     */
    async preview(app: MembershipApp, memberId: string, priceId: string): Promise<PlanChangeTerms> {
      const to = await offers.findSold(app, priceId)
      const customer = await getCustomer(memberId)
      return (await asPaymentErrors(logger, prepareChange(deps, app, customer, to))).terms
    },
    /**
     * Upgrades now; makes any other change at the end of the paid period. Throws as `preview`, `plan-change-under-way` for a
     * concurrent change, and `price-changed` if the terms differ from the agreed ones.
     */
    async change(
      app: MembershipApp,
      memberId: string,
      { priceId, ...agreed }: z.infer<typeof planChangeByPriceRequest>,
    ): Promise<{ member: Member; change: PlanChangeTerms }> {
      const to = await offers.findSold(app, priceId)
      const customer = await getCustomer(memberId)
      const prepared = await asPaymentErrors(logger, prepareChange(deps, app, customer, to, agreed))
      if (!isAgreed(agreed, prepared.terms)) throw fail('price-changed', prepared.terms)
      await apply(customer.id, prepared)
      await syncNow(customer.id)
      return { member: await members.get(app, memberId), change: prepared.terms }
    },
  }
}
