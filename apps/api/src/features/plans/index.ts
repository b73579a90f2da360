/** Plans: the catalogue, plan connections, free plans. */
export { toWirePlan } from './plans.mapper.ts'
export { registerPlanRoutes } from './plans.routes.ts'
export { createPlanService, type PlanService } from './plans.service.ts'
