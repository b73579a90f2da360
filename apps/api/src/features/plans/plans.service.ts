import type { Member } from '@tidings/contracts/members'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/database.ts'
import type { Ids } from '#platform/ids.ts'
import type { PlanDefinition } from '#platform/membership-apps/app-config.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { MemberService } from '../members/index.ts'
import {
  AlreadyHavePlanError,
  NoPlanFoundError,
  PlanFullError,
  PlanNotFoundError,
  PlanNotFreeError,
  PlanRestrictedError,
} from './plans.errors.ts'
import { countHolders, createConnection, removeConnection } from './plans.repository.ts'

type Deps = { members: MemberService; clock: Clock; ids: Ids }

export type PlanService = {
  /** Throws unless each is a free plan that a member may take; with each named once. */
  chooseFree(app: MembershipApp, planIds: readonly string[]): PlanDefinition[]
  /** Gives a member free plans, in the caller's transaction. Throws `plan-member-limit-reached`. */
  connectFree(tx: Db, app: MembershipApp, memberId: string, plans: readonly PlanDefinition[]): Promise<void>
  addFree(app: MembershipApp, memberId: string, planId: string): Promise<Member>
  removeFree(app: MembershipApp, memberId: string, planId: string): Promise<Member>
}

/** Free plans, taken and given back by the member. Paid ones come and go with their payments. */
export function createPlanService({ members, clock, ids }: Deps): PlanService {
  function chooseFree(app: MembershipApp, planIds: readonly string[]): PlanDefinition[] {
    return [...new Set(planIds)].map((planId) => {
      const plan = app.plansById.get(planId)
      if (plan === undefined || plan.status !== 'ACTIVE') throw new PlanNotFoundError()
      if (plan.prices.length > 0) throw new PlanNotFreeError()
      if (plan.restrictToAdmin) throw new PlanRestrictedError()
      return plan
    })
  }

  async function connect(
    tx: Db,
    app: MembershipApp,
    memberId: string,
    plan: PlanDefinition,
  ): Promise<boolean> {
    if (plan.memberLimit !== null && (await countHolders(tx, app.id, plan.id)) >= plan.memberLimit) {
      throw new PlanFullError()
    }
    const connection = { id: ids.public('con'), memberId, planId: plan.id, createdAt: clock.now() }
    return await createConnection(tx, { ...connection, type: 'free' })
  }

  return {
    chooseFree,
    async connectFree(tx, app, memberId, plans) {
      // In one order for everybody: each plan is held while its members are counted.
      const ordered = plans.toSorted((one, other) => (one.id < other.id ? -1 : 1))
      for (const plan of ordered) await connect(tx, app, memberId, plan)
    },
    addFree: (app, memberId, planId) =>
      members.change(app, memberId, async (tx, { planConnections }) => {
        for (const plan of chooseFree(app, [planId])) {
          if (planConnections.some((held) => held.planId === plan.id)) throw new AlreadyHavePlanError()
          await connect(tx, app, memberId, plan)
        }
      }),
    removeFree: (app, memberId, planId) =>
      members.change(app, memberId, async (tx, { planConnections }) => {
        const connection = planConnections.find((held) => held.planId === planId)
        if (connection === undefined) throw new NoPlanFoundError()
        if (connection.type !== 'FREE') {
          throw new PlanNotFreeError('This plan is paid for. Please end it where you manage your billing.')
        }
        await removeConnection(tx, connection.id)
      }),
  }
}
