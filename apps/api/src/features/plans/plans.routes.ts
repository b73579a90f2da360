import { planChangeReply, planReply, planRequest } from '@tidings/contracts/membership/plans'
import { membershipPaths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { memberRoute, publicRoute } from '#http/endpoints/route-options.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { appOf } from '#http/membership/membership.ts'
import { fail } from './plans.errors.ts'
import { type SalesTax, toWirePlan } from './plans.mapper.ts'
import type { PlanService } from './plans.service.ts'

/** Registers the routes of the catalog, and of free plans that members add and remove. */
export function registerPlanRoutes(app: App, { plans, tax }: { plans: PlanService; tax: SalesTax }): void {
  app.get(
    membershipPaths.plan,
    publicRoute('plans', 'Returns a plan; a free plan has no prices', {
      params: z.object({ planId: z.string() }),
      reply: planReply,
    }),
    async (request, reply) => {
      reply.header('Cache-Control', 'no-cache')
      const plan = appOf(request).plansById.get(request.params.planId)
      if (plan === undefined) throw fail('plan-not-found')
      return { data: toWirePlan(plan, tax) }
    },
  )

  app.post(
    membershipPaths.addPlan,
    memberRoute('plans', 'Adds a free plan', { body: planRequest, reply: planChangeReply }),
    async (request) => {
      const { memberId } = sessionOf(request)
      return { data: { member: await plans.addFree(appOf(request), memberId, request.body.planId) } }
    },
  )

  app.post(
    membershipPaths.removePlan,
    memberRoute('plans', 'Removes a free plan', { body: planRequest, reply: planChangeReply }),
    async (request) => {
      const { memberId } = sessionOf(request)
      return { data: { member: await plans.removeFree(appOf(request), memberId, request.body.planId) } }
    },
  )
}
