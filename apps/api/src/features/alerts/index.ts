/**
 * Emails to the operator about problems that a person must solve (ADR 98).
 *
 * Alert: a problem of one kind, as long as it lasts. Its facts are those of the metrics.
 */
export { checkAlerts } from './alerts.jobs.ts'
export { createAlerts } from './alerts.service.ts'
export { createConditions } from './conditions.ts'
