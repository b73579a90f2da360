import { billingPortalRequest, checkoutRequest, destinationReply } from '@tidings/contracts/billing'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { appOf } from '#http/membership/membership.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import { payingMemberOf, tags } from '../paying-member.ts'
import type { CheckoutService } from './checkout.service.ts'

type Deps = { checkout: CheckoutService; rateLimits: RateLimits }

/** The way to the payment service's pages: paying, and managing what one pays. */
export function registerCheckoutRoutes(app: App, { checkout, rateLimits }: Deps): void {
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
      const memberId = await payingMemberOf(request, rateLimits)
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
      const memberId = await payingMemberOf(request, rateLimits)
      const { return_url, origin_url } = request.body ?? {}
      const visit = {
        returnUrls: [['return_url', return_url] as const, ['origin_url', origin_url] as const],
      }
      return { data: await checkout.openPortal(appOf(request), memberId, visit) }
    },
  )
}
