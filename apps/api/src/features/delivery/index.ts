/**
 * Deliveries: each edition to each member, in the way the member chose, once.
 *
 * - run: the sending of one edition, or of the digest of one day
 * - delivery: one run to one member by one method; the ledger has one row for each
 * - sender: one worker's turn at a run. It claims deliveries, and its claims are void without its heartbeat
 * - unconfirmed: handed over to the server, but its reply was lost
 */
export { deliverRun, deliverySweep } from './delivery.jobs.ts'
export { createDeliveryPlanning } from './schedule/planning.service.ts'
export { createDeliverySchedule } from './schedule/schedule.service.ts'
export { preparePlainEmail } from './sending/plain-email.ts'
export { createSending } from './sending/sending.service.ts'
