/** Readiness: what an editor should look at before publishing, such as dead links, and the members who would get it. */

export { listDeadLinks } from './dead-links.ts'
export { createLinkChecks } from './link-checks.service.ts'
export { checkLinks } from './readiness.jobs.ts'
export { registerReadiness } from './readiness.routes.ts'
export { createReadinessService } from './readiness.service.ts'
