import {
  billingPortalRequest,
  checkoutRequest,
  destinationReply,
  planChangeByPriceReply,
  planChangeByPriceRequest,
  planChangePreviewReply,
} from '@tidings/contracts/billing'
import { membershipPaths } from '@tidings/contracts/paths'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { sessionOf } from '../../http/member-session.ts'
import { appOf } from '../../http/membership.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import { sentenceOf } from './change-sentence.ts'
import type { CheckoutService } from './checkout.service.ts'
import type { PlanChangeService } from './plan-change.service.ts'

const tags = ['Membership: payments']

/** Paying, managing what one pays, and changing the plan. */
export function registerBillingRoutes(
  app: App,
  deps: {
    checkout: CheckoutService
    planChanges: PlanChangeService
    rateLimits: RateLimits
    config: { site: { timeZone: string } }
  },
): void {
  const { checkout, planChanges, rateLimits } = deps
  const { timeZone } = deps.config.site

  /** Whose session it is; each of these calls asks the payment service, which bears only so many. */
  async function memberOf(request: FastifyRequest): Promise<string> {
    const { memberId } = sessionOf(request)
    await rateLimits.consume('payments', memberId)
    return memberId
  }

  app.post(
    membershipPaths.checkout,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Where the member pays for a price; a subscriber is led to confirming the change',
        body: checkoutRequest,
        response: { 200: destinationReply },
      },
    },
    async (request) => {
      const memberId = await memberOf(request)
      const { priceId, couponId, success_url, cancel_url, origin_url } = request.body
      const origin = ['origin_url', origin_url] as const
      const order = {
        priceId,
        coupon: couponId || null,
        successUrls: [['success_url', success_url] as const, origin],
        cancelUrls: [['cancel_url', cancel_url] as const, origin],
      }
      return { data: await checkout.start(appOf(request), memberId, order) }
    },
  )

  app.post(
    membershipPaths.billingPortal,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Where the member cancels, resumes, changes the card and finds invoices',
        body: billingPortalRequest.nullish(),
        response: { 200: destinationReply },
      },
    },
    async (request) => {
      const memberId = await memberOf(request)
      const { return_url, origin_url } = request.body ?? {}
      const visit = {
        returnUrls: [['return_url', return_url] as const, ['origin_url', origin_url] as const],
      }
      return { data: await checkout.openPortal(appOf(request), memberId, visit) }
    },
  )

  app.post(
    membershipPaths.previewPlanChange,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'What changing to a price would mean: when, and what is charged',
        body: planChangeByPriceRequest,
        response: { 200: planChangePreviewReply },
      },
    },
    async (request) => {
      const memberId = await memberOf(request)
      const data = await planChanges.preview(appOf(request), memberId, request.body.priceId)
      return { data, _internalUseOnly: { message: sentenceOf(data, 'is', timeZone) } }
    },
  )

  app.post(
    membershipPaths.changePlan,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Changes to a price: at once when upgrading, at the end of what is paid when not',
        body: planChangeByPriceRequest,
        response: { 200: planChangeByPriceReply },
      },
    },
    async (request) => {
      const memberId = await memberOf(request)
      const data = await planChanges.change(appOf(request), memberId, request.body.priceId)
      return { data, _internalUseOnly: { message: sentenceOf(data.change, 'was', timeZone) } }
    },
  )
}
