import { addPlan, getPlan, removePlan } from '@tidings/contracts/membership/plans'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { appOf } from '#http/membership/membership.ts'
import { fail } from './plans.errors.ts'
import { type SalesTax, toWirePlan } from './plans.mapper.ts'
import type { PlanService } from './plans.service.ts'

/** Registers the routes of the catalog, and of free plans that members add and remove. */
export function registerPlanRoutes(app: App, { plans, tax }: { plans: PlanService; tax: SalesTax }): void {
  register(app, getPlan, async (request, reply) => {
    reply.header('Cache-Control', 'no-cache')
    const plan = appOf(request).plansById.get(request.params.planId)
    if (plan === undefined) throw fail('plan-not-found')
    return { data: toWirePlan(plan, tax) }
  })

  register(app, addPlan, async (request) => {
    const { memberId } = sessionOf(request)
    return { data: { member: await plans.addFree(appOf(request), memberId, request.body.planId) } }
  })

  register(app, removePlan, async (request) => {
    const { memberId } = sessionOf(request)
    return { data: { member: await plans.removeFree(appOf(request), memberId, request.body.planId) } }
  })
}
