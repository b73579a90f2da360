import { membershipPaths } from '@tidings/contracts/paths'
import { planChangeReply, planReply, planRequest } from '@tidings/contracts/plans'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { appOf } from '#http/membership/membership.ts'
import { PlanNotFoundError } from './plans.errors.ts'
import { toWirePlan } from './plans.mapper.ts'
import type { PlanService } from './plans.service.ts'

const tags = ['Membership: plans']

/** The catalogue, and free plans that members take and give back. */
export function registerPlanRoutes(app: App, { plans }: { plans: PlanService }): void {
  app.get(
    membershipPaths.plan,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'One plan; a free one has no prices',
        params: z.object({ planId: z.string() }),
        response: { 200: planReply },
      },
    },
    async (request, reply) => {
      reply.header('Cache-Control', 'no-cache')
      const plan = appOf(request).plansById.get(request.params.planId)
      if (plan === undefined) throw new PlanNotFoundError()
      return { data: toWirePlan(plan) }
    },
  )

  app.post(
    membershipPaths.addPlan,
    {
      config: { access: 'member' },
      schema: { tags, summary: 'Takes a free plan', body: planRequest, response: { 200: planChangeReply } },
    },
    async (request) => {
      const { memberId } = sessionOf(request)
      return { data: { member: await plans.addFree(appOf(request), memberId, request.body.planId) } }
    },
  )

  app.post(
    membershipPaths.removePlan,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Gives a free plan back',
        body: planRequest,
        response: { 200: planChangeReply },
      },
    },
    async (request) => {
      const { memberId } = sessionOf(request)
      return { data: { member: await plans.removeFree(appOf(request), memberId, request.body.planId) } }
    },
  )
}
