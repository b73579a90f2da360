import type { z } from 'zod'
import { accountClosing } from './account/account-closing.ts'
import { accountDeleted } from './account/account-deleted.ts'
import { accountExpiring } from './account/account-expiring.ts'
import { addressProved } from './account/address-proved.ts'
import { emailChanged } from './account/email-changed.ts'
import { emailWaiting } from './account/email-waiting.ts'
import { passwordChanged } from './account/password-changed.ts'
import { providerConnected } from './account/provider-connected.ts'
import { paymentDisputed } from './billing/payment-disputed.ts'
import { paymentFailed } from './billing/payment-failed.ts'
import { paymentReceived } from './billing/payment-received.ts'
import { planChangeCanceled } from './billing/plan-change-canceled.ts'
import { planChangeScheduled } from './billing/plan-change-scheduled.ts'
import { planChanged } from './billing/plan-changed.ts'
import { planClosed } from './billing/plan-closed.ts'
import { planReopened } from './billing/plan-reopened.ts'
import { refund } from './billing/refund.ts'
import { renewalNotice } from './billing/renewal-notice.ts'
import { subscribed } from './billing/subscribed.ts'
import { subscriptionEnded } from './billing/subscription-ended.ts'
import { subscriptionEndedUnpaid } from './billing/subscription-ended-unpaid.ts'
import { subscriptionEnding } from './billing/subscription-ending.ts'
import { subscriptionResumed } from './billing/subscription-resumed.ts'
import { existingAccountCode } from './codes/existing-account-code.ts'
import { loginCode } from './codes/login-code.ts'
import { resetCode } from './codes/reset-code.ts'
import { signupCode } from './codes/signup-code.ts'
import { verification } from './codes/verification.ts'
import type { EmailDefinition } from './define-email.ts'
import { refundNeedsPerson } from './operator/refund-needs-person.ts'

/** Sent at once by the job that draws the code: a code is never stored in the outbox. */
const codeEmails = [resetCode, loginCode, existingAccountCode, signupCode, verification] as const

const outboxEmails = [
  ...[emailChanged, passwordChanged, accountExpiring, addressProved, providerConnected],
  ...[accountClosing, accountDeleted],
  ...[subscribed, paymentFailed, planClosed, refund, paymentDisputed],
  ...[planChanged, planChangeScheduled, planChangeCanceled],
  ...[subscriptionEnding, subscriptionResumed, subscriptionEnded, subscriptionEndedUnpaid],
  ...[paymentReceived, planReopened, renewalNotice, emailWaiting, refundNeedsPerson],
] as const

// Zod infers an empty schema as an object without any key, not even `kind`.
type DataOf<Schema extends z.ZodType> =
  z.input<Schema> extends Record<string, never> ? object : z.input<Schema>
type EmailOf<Definition> = Definition extends { kind: infer Kind; schema: infer Schema extends z.ZodType }
  ? { kind: Kind } & DataOf<Schema>
  : never

export type CodeEmail = EmailOf<(typeof codeEmails)[number]>
/** An email that the outbox stores: its kind and the data of that kind's schema. */
export type Email = EmailOf<(typeof outboxEmails)[number]>

/** Every email that we send. */
export const emailDefinitions: readonly EmailDefinition[] = [...codeEmails, ...outboxEmails]

const byKind = new Map(emailDefinitions.map((definition) => [definition.kind, definition]))

export function getEmailDefinition(kind: string): EmailDefinition {
  const definition = byKind.get(kind)
  if (definition === undefined) throw new Error(`There is no email of the kind ${kind}`)
  return definition
}
