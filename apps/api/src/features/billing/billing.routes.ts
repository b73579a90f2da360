import {
  changePlan,
  openBillingPortal,
  previewPlanChange,
  startCheckout,
} from '@tidings/contracts/membership/billing'
import type { FastifyRequest } from 'fastify'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { appOf, withMessage } from '#http/membership/membership.ts'
import type { CheckoutService } from './checkout/checkout.service.ts'
import type { PlanChangeService } from './plan-changes/plan-change.service.ts'
import { planChangeMessage } from './plan-changes/plan-change-message.ts'

type Deps = {
  checkout: CheckoutService
  planChanges: PlanChangeService
  rateLimits: RateLimits
  config: { site: { timeZone: string; language: string } }
}

export function registerBillingRoutes(app: App, { checkout, planChanges, rateLimits, config }: Deps): void {
  /** Returns the member's id. Limits calls per member, because each one calls Stripe. */
  async function payingMemberOf(request: FastifyRequest): Promise<string> {
    const { memberId } = sessionOf(request)
    await rateLimits.consume('payments', memberId)
    return memberId
  }

  register(app, startCheckout, async (request) => {
    const memberId = await payingMemberOf(request)
    const { priceId, couponId, shownAmount, shownCurrency, success_url, cancel_url, origin_url } =
      request.body
    const origin = ['origin_url', origin_url] as const
    const order = {
      priceId,
      shown:
        shownAmount == null || shownCurrency == null
          ? null
          : { amount: shownAmount, currency: shownCurrency },
      coupon: couponId || null,
      successUrls: [['success_url', success_url] as const, origin],
      cancelUrls: [['cancel_url', cancel_url] as const, origin],
    }
    return { data: await checkout.start(appOf(request), memberId, order) }
  })

  register(app, openBillingPortal, async (request) => {
    const memberId = await payingMemberOf(request)
    const { return_url, origin_url, priceIds } = request.body ?? {}
    const returnUrls = [['return_url', return_url] as const, ['origin_url', origin_url] as const]
    const requested: unknown = Array.isArray(priceIds) ? priceIds[0] : null
    const priceId = typeof requested === 'string' ? requested : null
    return { data: await checkout.openPortal(appOf(request), memberId, { returnUrls, priceId }) }
  })

  register(app, previewPlanChange, async (request) => {
    const memberId = await payingMemberOf(request)
    const data = await planChanges.preview(appOf(request), memberId, request.body.priceId)
    return withMessage(data, planChangeMessage(data, 'preview', config.site))
  })

  register(app, changePlan, async (request) => {
    const memberId = await payingMemberOf(request)
    const data = await planChanges.change(appOf(request), memberId, request.body)
    return withMessage(data, planChangeMessage(data.change, 'done', config.site))
  })
}
