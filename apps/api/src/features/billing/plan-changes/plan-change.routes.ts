import {
  planChangeByPriceReply,
  planChangeByPriceRequest,
  planChangePreviewReply,
  planChangePreviewRequest,
  planChangeRefusal,
} from '@tidings/contracts/billing'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { appOf } from '#http/membership/membership.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import { payingMemberOf, tags } from '../paying-member.ts'
import type { PlanChangeService } from './plan-change.service.ts'
import { planChangeMessage } from './plan-change-message.ts'

type Deps = {
  planChanges: PlanChangeService
  rateLimits: RateLimits
  config: { site: { timeZone: string } }
}

/** Changing the plan by its price, and looking first at what that would mean. */
export function registerPlanChangeRoutes(app: App, { planChanges, rateLimits, config }: Deps): void {
  const { timeZone } = config.site

  app.post(
    membershipPaths.previewPlanChange,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'What changing to a price would mean: when, and what is charged',
        body: planChangePreviewRequest,
        response: { 200: planChangePreviewReply },
      },
    },
    async (request) => {
      const memberId = await payingMemberOf(request, rateLimits)
      const data = await planChanges.preview(appOf(request), memberId, request.body.priceId)
      return { data, _internalUseOnly: { message: planChangeMessage(data, 'is', timeZone) } }
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
        response: { 200: planChangeByPriceReply, 409: planChangeRefusal },
      },
    },
    async (request) => {
      const memberId = await payingMemberOf(request, rateLimits)
      const data = await planChanges.change(appOf(request), memberId, request.body)
      return { data, _internalUseOnly: { message: planChangeMessage(data.change, 'was', timeZone) } }
    },
  )
}
