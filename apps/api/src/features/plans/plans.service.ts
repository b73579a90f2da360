import type { Member } from '@tidings/contracts/membership/members'
import type { Db } from '#platform/database.ts'
import type { PlanDefinition } from '#platform/membership-apps/app-config.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { MemberService } from '../members/index.ts'
import { fail } from './plans.errors.ts'
import { connectionIdPrefix, countHolders, createConnection, removeConnection } from './plans.repository.ts'

type Deps = Pick<PlatformDeps, 'clock' | 'ids'> & { members: MemberService }

export type PlanService = ReturnType<typeof createPlanService>

/** Creates the service of free plans, which members add and remove themselves. Paid plans follow their payments. */
export function createPlanService({ members, clock, ids }: Deps) {
  /** Returns the plans without duplicates; throws unless each is a free plan open to members. */
  function chooseFree(app: MembershipApp, planIds: readonly string[]): PlanDefinition[] {
    return [...new Set(planIds)].map((planId) => {
      const plan = app.plansById.get(planId)
      if (plan === undefined || plan.status !== 'ACTIVE') throw fail('plan-not-found')
      if (plan.prices.length > 0) throw fail('plan-not-free', 'add')
      if (plan.restrictToAdmin) throw fail('plan-restricted-to-admin')
      return plan
    })
  }

  async function connect(tx: Db, app: MembershipApp, memberId: string, plan: PlanDefinition): Promise<void> {
    if (plan.memberLimit !== null && (await countHolders(tx, app.id, plan.id)) >= plan.memberLimit) {
      throw fail('plan-member-limit-reached')
    }
    const createdAt = clock.now()
    await createConnection(tx, {
      id: ids.public(connectionIdPrefix),
      memberId,
      planId: plan.id,
      type: 'free',
      createdAt,
    })
  }

  return {
    chooseFree,

    /** Gives a member free plans in the caller's transaction. Throws `plan-member-limit-reached`. */
    async connectFree(
      tx: Db,
      app: MembershipApp,
      memberId: string,
      plans: readonly PlanDefinition[],
    ): Promise<void> {
      // Locks the plans in id order.
      const ordered = plans.toSorted((one, other) => (one.id < other.id ? -1 : 1))
      for (const plan of ordered) await connect(tx, app, memberId, plan)
    },

    async addFree(app: MembershipApp, memberId: string, planId: string): Promise<Member> {
      return await members.change(app, memberId, async (tx, { planConnections }) => {
        for (const plan of chooseFree(app, [planId])) {
          if (planConnections.some((held) => held.planId === plan.id)) throw fail('already-have-plan')
          await connect(tx, app, memberId, plan)
        }
      })
    },

    async removeFree(app: MembershipApp, memberId: string, planId: string): Promise<Member> {
      return await members.change(app, memberId, async (tx, { planConnections }) => {
        const connection = planConnections.find((held) => held.planId === planId)
        if (connection === undefined) throw fail('no-plan-found')
        if (connection.type !== 'FREE') throw fail('plan-not-free', 'remove')
        await removeConnection(tx, connection.id)
      })
    },
  }
}
