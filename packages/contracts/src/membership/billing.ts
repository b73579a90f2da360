import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { dataOf, dataWithMessage } from '../envelope.ts'
import { errorReply } from '../errors.ts'
import { memberSchema, renewalSchema } from './members.ts'
import * as routes from './routes.ts'

const address = z.string().max(2_000)
const id = z.string().min(1).max(100)

/** Body of `POST /member/plans/create-checkout-session`. URLs must be on allowed origins. */
export const checkoutRequest = z.object({
  priceId: id.describe('prc_…'),
  couponId: z.string().max(200).nullish().describe('A promotion code, or the id of a public coupon'),
  success_url: address.nullish(),
  cancel_url: address.nullish(),
  origin_url: address.nullish().describe('Where success and cancel lead when they are not given'),
  shownAmount: z
    .number()
    .nullish()
    .describe('What the page shows, in major units. Another price fails: `price-changed`'),
  shownCurrency: z.string().nullish(),
})

/** Body of `POST /member/create-billing-portal-session`. */
export const billingPortalRequest = z.object({
  return_url: address.nullish(),
  origin_url: address.nullish(),
  priceIds: z.unknown().optional().describe('With prices, the reply leads to the change-plan screen'),
})

/** The URL that the browser opens next. */
export const destinationReply = dataOf(z.object({ url: z.string() }))

/** Body of `POST /member/plans/change/preview`. */
export const planChangePreviewRequest = z.object({ priceId: id.describe('prc_…') })

/** Body of `POST /member/plans/change`. With the terms of a preview, the change fails if they have changed. */
export const planChangeByPriceRequest = planChangePreviewRequest
  .extend({
    amountDue: z.number().nullish().describe('As the preview returned it'),
    currency: z.string().nullish().describe('As the preview returned it'),
    proratedAt: z.iso.datetime({ offset: true }).nullish().describe('As the preview returned it'),
    renewalAmount: z.number().nullish().describe('As the preview returned it; may be left out'),
  })
  .refine(
    (body) =>
      new Set([body.amountDue, body.currency, body.proratedAt].map((value) => value == null)).size === 1,
    'amountDue, currency and proratedAt belong together: send all three of a preview, or none.',
  )

const pricedPlan = z.object({
  planId: z.string(),
  planName: z.string(),
  priceId: z.string(),
  amount: z.number().describe('In major units'),
  currency: z.string(),
  interval: z.enum(['MONTHLY', 'YEARLY']).nullable(),
})

/** The terms of a price change. An upgrade is immediate; other changes wait for the end of the paid period. */
export const planChangeTermsSchema = z.object({
  from: pricedPlan,
  to: pricedPlan,
  effective: z.enum(['now', 'period-end']),
  effectiveAt: z.string().describe('ISO 8601'),
  amountDue: z.number().describe('What is charged at once, in major units, after credit for unused time'),
  currency: z.string(),
  proratedAt: z
    .string()
    .describe('ISO 8601. Since when unused time counts; for 30 minutes it holds the terms'),
  renewalAmount: z.number().describe('What the first renewal charges, discounts included, in major units'),
  regularAmount: z.number().describe('The same once discounts that end have ended'),
  renewal: renewalSchema.optional().describe('The same with days and tax'),
})
export type PlanChangeTerms = z.infer<typeof planChangeTermsSchema>

export const planChangePreviewReply = dataWithMessage(planChangeTermsSchema)
export const planChangeByPriceReply = dataWithMessage(
  z.object({ member: memberSchema, change: planChangeTermsSchema }),
)

/** 409 of `POST /member/plans/change`. */
export const planChangeRefusal = z.object({
  error: z.object({
    ...errorReply.shape.error.shape,
    terms: planChangeTermsSchema
      .optional()
      .describe('With `price-changed`: the terms that the change has now'),
  }),
})

/** `POST /webhooks/stripe`. */
export const webhookReply = dataOf(z.object({ received: z.literal(true) }))

export const startCheckout = endpoint(routes.startCheckout, {
  access: 'member',
  tag: 'Membership: payments',
  summary: 'Opens a checkout for a price, or the screen where a subscriber changes the plan',
  body: checkoutRequest,
  reply: destinationReply,
})

export const openBillingPortal = endpoint(routes.openBillingPortal, {
  access: 'member',
  tag: 'Membership: payments',
  summary: 'Opens the portal where the member cancels, resumes, changes the card and finds invoices',
  body: billingPortalRequest.nullish(),
  reply: destinationReply,
})

export const previewPlanChange = endpoint(routes.previewPlanChange, {
  access: 'member',
  tag: 'Membership: payments',
  summary: 'Previews a change to a price: when it takes effect and what it charges',
  body: planChangePreviewRequest,
  reply: planChangePreviewReply,
})

export const changePlan = endpoint(routes.changePlan, {
  access: 'member',
  tag: 'Membership: payments',
  summary: 'Changes to a price: an upgrade now, any other change at the end of the paid period',
  body: planChangeByPriceRequest,
  reply: planChangeByPriceReply,
  errors: { 409: planChangeRefusal },
})

export const receiveStripeEvent = endpoint(
  { method: 'POST', path: '/webhooks/stripe' },
  { access: 'signed', tag: 'Payments', summary: 'Receives an event from Stripe', reply: webhookReply },
)
