import type { App } from '#http/app-type.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import { registerCheckoutRoutes } from './checkout/checkout.routes.ts'
import type { CheckoutService } from './checkout/checkout.service.ts'
import { registerPlanChangeRoutes } from './plan-changes/plan-change.routes.ts'
import type { PlanChangeService } from './plan-changes/plan-change.service.ts'

type Deps = {
  checkout: CheckoutService
  planChanges: PlanChangeService
  rateLimits: RateLimits
  config: { site: { timeZone: string } }
}

/** Paying, managing what one pays, and changing the plan. */
export function registerBillingRoutes(app: App, deps: Deps): void {
  registerCheckoutRoutes(app, deps)
  registerPlanChangeRoutes(app, deps)
}
