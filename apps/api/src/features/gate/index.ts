/** The gate (the shared site password and its gate pass) and the entry box of the landing page. */
export { createEntryBoxService } from './entry-box.service.ts'
export { registerGateRoutes } from './gate.routes.ts'
export { createGateService } from './gate.service.ts'
