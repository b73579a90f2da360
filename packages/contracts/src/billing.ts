import { z } from 'zod'
import { dataOf, dataWithMessage } from './envelope.ts'
import { memberSchema } from './members.ts'

const address = z.string().max(2_000)
const id = z.string().min(1).max(100)

/** Body of `POST /member/plans/create-checkout-session`. Addresses lie on allowed origins. */
export const checkoutRequest = z.object({
  priceId: id.describe('prc_…'),
  couponId: z.string().max(200).nullish().describe('A promotion code, or the id of a public coupon'),
  success_url: address.nullish(),
  cancel_url: address.nullish(),
  origin_url: address.nullish().describe('Where success and cancel lead when they are not given'),
})

/** Body of `POST /member/create-billing-portal-session`. */
export const billingPortalRequest = z.object({
  return_url: address.nullish(),
  origin_url: address.nullish(),
})

/** Where the browser goes on. */
export const destinationReply = dataOf(z.object({ url: z.string() }))

/** Body of `POST /member/plans/change` and of its preview. */
export const planChangeByPriceRequest = z.object({ priceId: id.describe('prc_…') })

const pricedPlan = z.object({
  planId: z.string(),
  planName: z.string(),
  priceId: z.string(),
  amount: z.number().describe('In major units'),
  currency: z.string(),
  interval: z.enum(['MONTHLY', 'YEARLY']).nullable(),
})

/** What changing to another price means. An upgrade is at once, everything else waits for the end of what is paid. */
export const planChangeTermsSchema = z.object({
  from: pricedPlan,
  to: pricedPlan,
  effective: z.enum(['now', 'period-end']),
  effectiveAt: z.string().describe('ISO 8601'),
  amountDue: z.number().describe('What is charged at once, in major units, after credit for unused time'),
  currency: z.string(),
})
export type PlanChangeTerms = z.infer<typeof planChangeTermsSchema>

export const planChangePreviewReply = dataWithMessage(planChangeTermsSchema)
export const planChangeByPriceReply = dataWithMessage(
  z.object({ member: memberSchema, change: planChangeTermsSchema }),
)

/** `POST /webhooks/stripe`. */
export const webhookReply = dataOf(z.object({ received: z.literal(true) }))
