import type { z } from 'zod'
import { accountClosing } from './emails/account/account-closing.ts'
import { accountDeleted } from './emails/account/account-deleted.ts'
import { accountExpiring } from './emails/account/account-expiring.ts'
import { addressProved } from './emails/account/address-proved.ts'
import { emailChanged } from './emails/account/email-changed.ts'
import { emailWaiting } from './emails/account/email-waiting.ts'
import { passwordChanged } from './emails/account/password-changed.ts'
import { providerConnected } from './emails/account/provider-connected.ts'
import { paymentDisputed } from './emails/billing/payment-disputed.ts'
import { paymentFailed } from './emails/billing/payment-failed.ts'
import { paymentReceived } from './emails/billing/payment-received.ts'
import { planChangeCanceled } from './emails/billing/plan-change-canceled.ts'
import { planChangeScheduled } from './emails/billing/plan-change-scheduled.ts'
import { planChanged } from './emails/billing/plan-changed.ts'
import { planClosed } from './emails/billing/plan-closed.ts'
import { planReopened } from './emails/billing/plan-reopened.ts'
import { refund } from './emails/billing/refund.ts'
import { renewalNotice } from './emails/billing/renewal-notice.ts'
import { subscribed } from './emails/billing/subscribed.ts'
import { subscriptionEnded } from './emails/billing/subscription-ended.ts'
import { subscriptionEndedUnpaid } from './emails/billing/subscription-ended-unpaid.ts'
import { subscriptionEnding } from './emails/billing/subscription-ending.ts'
import { subscriptionResumed } from './emails/billing/subscription-resumed.ts'
import { existingAccountCode } from './emails/codes/existing-account-code.ts'
import { loginCode } from './emails/codes/login-code.ts'
import { resetCode } from './emails/codes/reset-code.ts'
import { signupCode } from './emails/codes/signup-code.ts'
import { verification } from './emails/codes/verification.ts'
import { deskInvitation } from './emails/desk/desk-invitation.ts'
import { deskSignIn } from './emails/desk/desk-sign-in.ts'
import { operatorAlert } from './emails/operator/operator-alert.ts'
import { operatorAlertResolved } from './emails/operator/operator-alert-resolved.ts'
import { refundNeedsPerson } from './emails/operator/refund-needs-person.ts'
import type { EmailDefinition } from './layout/define-email.ts'

/** Sent at once by the job that makes the code or link, which is never stored in the outbox. */
const codeEmails = [
  ...[resetCode, loginCode, existingAccountCode, signupCode, verification],
  ...[deskSignIn, deskInvitation],
] as const

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

/** Sent at once: the outbox is among what they report. */
const operatorEmails = [operatorAlert, operatorAlertResolved] as const
export type OperatorEmail = EmailOf<(typeof operatorEmails)[number]>

/** Every email that we send. */
export const emailDefinitions: readonly EmailDefinition[] = [
  ...codeEmails,
  ...outboxEmails,
  ...operatorEmails,
]

const byKind = new Map(emailDefinitions.map((definition) => [definition.kind, definition]))

export function getEmailDefinition(kind: string): EmailDefinition {
  const definition = byKind.get(kind)
  if (definition === undefined) throw new Error(`There is no email of the kind ${kind}`)
  return definition
}
