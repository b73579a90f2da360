import type { LinkChecker } from '../integrations/links/link-checker.ts'
import type { BulkMailer } from '../integrations/mail/bulk-mailer.ts'
import type { Mailer } from '../integrations/mail/mailer.ts'
import type { PaymentGateway } from '../integrations/payments/payment-gateway.ts'
import type { PictureEncoder } from '../integrations/pictures/picture-encoder.ts'
import type { PushSender } from '../integrations/push/push-sender.ts'
import type { SmsSender } from '../integrations/sms/sms-sender.ts'
import type { MediaStore } from '../integrations/storage/media-store.ts'
import type { Clock } from '../platform/clock.ts'
import type { Ids } from '../platform/ids.ts'
import type { Logger } from '../platform/logger.ts'
import type { Passwords } from '../platform/passwords/passwords.ts'

/** Collaborators that tests and seeds replace. */
export type ContextOverrides = {
  clock?: Clock
  ids?: Ids
  logger?: Logger
  encoder?: PictureEncoder
  store?: MediaStore
  mailer?: Mailer
  bulkMailer?: BulkMailer
  smsSender?: SmsSender
  pushSender?: PushSender
  linkChecker?: LinkChecker
  gateway?: PaymentGateway
  passwords?: Passwords
  /** The least time between two notifications of a channel. */
  notificationIntervalMs?: number
}
