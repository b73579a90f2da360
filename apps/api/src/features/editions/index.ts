/**
 * Editions: what is published at one slot of one day.
 *
 * - edition id: a calendar day and a slot; its text form is the edition key, `MM-DD-YY-slot`
 * - scheduled: publishes at its slot's time; held: missed that time and waits for an editor
 */

export { readEditions } from './edition-counts.repository.ts'
export { type EditionId, editionCacheKeys, getDate, getEditionId, idOf, keyOf } from './edition-keys.ts'
export { exportEditions } from './edition-metrics.ts'
export { fail } from './editions.errors.ts'
export { editionDue, editionPublished, publishingSweep } from './editions.jobs.ts'
export { isWithdrawn, toDeskEdition } from './editions.mapper.ts'
export {
  type EditionRow,
  findEdition,
  findEditionById,
  listOfDay,
  listPublishedOfDay,
  lockEditionById,
} from './editions.repository.ts'
export { registerEditionRoutes } from './editions.routes.ts'
export { createEditionService } from './editions.service.ts'
export {
  type EditionFilter,
  editionConditions,
  listEditions,
  memoConditions,
  memoCopyConditions,
} from './found-editions.repository.ts'
export { createPublishing, type DeliveryChoice, type Publishing } from './publishing.service.ts'
export { addDays, boundsOfDay, dateInZone, isSameDay, publishInstant } from './slot-times.ts'
export { createStartEditions, type DatedStartEditions } from './start-editions.ts'
