import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { dataOf } from '../envelope.ts'
import { memberSchema } from './members.ts'
import * as routes from './routes.ts'

/** A price of a paid plan. `amount` is in major units (9.99). `interval` is null for a one-time price. */
const priceSchema = z.object({
  id: z.string().describe('prc_…'),
  name: z.string().nullable(),
  amount: z.number(),
  currency: z.string().describe('ISO 4217, small letters'),
  type: z.enum(['SUBSCRIPTION', 'ONETIME']),
  interval: z.object({ type: z.enum(['MONTHLY', 'YEARLY']), count: z.int() }).nullable(),
  active: z.boolean(),
  status: z.enum(['ACTIVE', 'INACTIVE']),
  taxBehavior: z
    .enum(['exclusive', 'inclusive'])
    .optional()
    .describe('Whether tax is added to the amount or included in it; missing if none is collected'),
})

/** A plan in `GET /app` and `GET /app/plans/{planId}`. A free plan has no prices. */
export const planSchema = z.object({
  id: z.string().describe('pln_…'),
  name: z.string(),
  description: z.string().nullable(),
  status: z.enum(['ACTIVE', 'INACTIVE']),
  priority: z.int().nullable(),
  isPaid: z.boolean(),
  prices: z.array(priceSchema),
})
export type Plan = z.infer<typeof planSchema>

export const planReply = dataOf(planSchema)

/** Body of `POST /member/plans/add` and `/member/plans/remove`. */
export const planRequest = z.object({ planId: z.string().min(1).max(100) })

export const planChangeReply = dataOf(z.object({ member: memberSchema }))

export const getPlan = endpoint(routes.getPlan, {
  access: 'public',
  tag: 'Membership: plans',
  summary: 'Returns a plan; a free plan has no prices',
  reply: planReply,
})

export const addPlan = endpoint(routes.addPlan, {
  access: 'member',
  tag: 'Membership: plans',
  summary: 'Adds a free plan',
  body: planRequest,
  reply: planChangeReply,
})

export const removePlan = endpoint(routes.removePlan, {
  access: 'member',
  tag: 'Membership: plans',
  summary: 'Removes a free plan',
  body: planRequest,
  reply: planChangeReply,
})
