/** Plans: the catalog, plan connections and free plans. */
export { fail } from './plans.errors.ts'
export { type SalesTax, toWirePlan } from './plans.mapper.ts'
export { connectionIdPrefix, countHolders, listHeldPlans } from './plans.repository.ts'
export { registerPlanRoutes } from './plans.routes.ts'
export { createPlanService, type PlanService } from './plans.service.ts'
