/** Plans: the catalogue, plan connections, free plans. */
export { AlreadyHavePlanError, NoPlanFoundError, PlanFullError, PlanRestrictedError } from './plans.errors.ts'
export { toWirePlan } from './plans.mapper.ts'
export { countHolders } from './plans.repository.ts'
export { registerPlanRoutes } from './plans.routes.ts'
export { createPlanService, type PlanService } from './plans.service.ts'
