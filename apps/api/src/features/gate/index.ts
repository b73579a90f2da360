/** The gate (the shared site password and the pass it gives) and the entry box of the landing page. */
export { createEntryBoxService } from './entry-box.service.ts'
export { registerGateRoutes } from './gate.routes.ts'
export { createGateService } from './gate.service.ts'
