/**
 * Deliveries: each edition to each member, in the way the member chose, once.
 *
 * - run: the sending of one edition, or of the digest of one day
 * - delivery: one run to one member by one method; the ledger has one row for each
 * - sender: one worker's turn at a run. It claims deliveries, and its claims are void without its heartbeat
 * - unconfirmed: handed over to the server, but its reply was lost
 * - refusal: a server does not take a message, because of the address, its full mailbox, us, or the message alone
 * - probe: the one message that shows whether a domain still refuses us, while its others wait
 * - suppression: an address that bounced or complained, to which nothing is sent
 */
export { createBounceService } from './bounces/bounces.service.ts'
export { registerMailEventRoutes } from './bounces/mail-events.routes.ts'
export { createDeliveryEmails } from './content/email/prepare-email.ts'
export { createEditionPdfs, type EditionPdfs } from './content/pdf/edition-pdfs.service.ts'
export { createDeliverySms } from './content/sms/delivery-sms.ts'
export { createProgramWords } from './content/sms/program-words.ts'
export { toText } from './content/sms/to-gsm.ts'
export { createCorrectionNotes } from './corrections/correction-notes.service.ts'
export { createCorrectionSending } from './corrections/correction-sending.service.ts'
export { registerCorrectionNotes } from './corrections/corrections.routes.ts'
export {
  confirmProgram,
  deliverCorrection,
  deliverPushes,
  deliverRun,
  deliverSms,
  deliverySweep,
} from './delivery.jobs.ts'
export type { DeliveryContent } from './delivery-email.ts'
export { registerDeliveryDesk } from './desk/delivery-desk.routes.ts'
export { createDeliveryDesk, type DeliveryDesk } from './desk/delivery-desk.service.ts'
export {
  createUnsavedContent,
  filesOf,
  type UnsavedContent,
  unsavedBodyLimit,
} from './desk/unsaved-content.ts'
export { countByState, countRuns } from './ledger/delivery-counts.repository.ts'
export { listRefusingDomains } from './ledger/refusing-domains.repository.ts'
export { deliveryLedger } from './ledger/sent-deliveries.repository.ts'
export { createReturnAddresses } from './links/return-addresses.ts'
export { createSignedLinks, type SignedLinks } from './links/signed-links.ts'
export { createSmsLinks } from './links/sms-links.ts'
export { registerMemberDeliveryRoutes } from './member-deliveries/member-deliveries.routes.ts'
export {
  createMemberDeliveries,
  type MemberDeliveryService,
} from './member-deliveries/member-deliveries.service.ts'
export { editionMethodsTo, previewedMethods, toWireMethod } from './methods.ts'
export { createLinkedPdfs } from './pages/linked-pdfs.service.ts'
export { registerLinkRoutes } from './pages/links.routes.ts'
export { createLinkService } from './pages/links.service.ts'
export { registerPushDeviceRoutes } from './push/push-devices.routes.ts'
export { createPushDevices } from './push/push-devices.service.ts'
export { registerDeliverability } from './report/deliverability.routes.ts'
export { createDeliverability } from './report/deliverability.service.ts'
export { exportDeliveries } from './report/delivery-metrics.ts'
export { createDeliveryProgress } from './report/delivery-progress.ts'
export { createDeliverySearch, type SearchDeliveries } from './report/delivery-search.ts'
export { createProgressReport } from './report/progress.service.ts'
export { createRecipientCounts, type RecipientCounts } from './report/recipient-counts.ts'
export { exportRefusals } from './report/refusal-metrics.ts'
export { createWaiting } from './report/waiting.service.ts'
export { createDeliveryOperations } from './schedule/operations.service.ts'
export { createDeliveryPlanning } from './schedule/planning.service.ts'
export { createDeliverySchedule } from './schedule/schedule.service.ts'
export { createEmailTransport } from './sending/email-transport.ts'
export { createMessageCounter } from './sending/message-counter.ts'
export { createPushTransport } from './sending/push-transport.ts'
export { createSending } from './sending/sending.service.ts'
export { createSmsTransport } from './sending/sms-transport.ts'
export { createProgramSms } from './sms-program/program-sms.service.ts'
export { registerSmsEventRoutes } from './sms-program/sms-events.routes.ts'
export { createSmsEvents } from './sms-program/sms-events.service.ts'
export {
  type AddressSuppression,
  liftSuppression,
  listSuppressions,
} from './suppression/suppression.repository.ts'
export { registerSuppressionRoutes } from './suppression/suppression.routes.ts'
export { createSuppressionService } from './suppression/suppression.service.ts'
