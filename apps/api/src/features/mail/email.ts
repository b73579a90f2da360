import { z } from 'zod'

const instant = z.iso.datetime()
const money = { amount: z.int().describe('In minor units'), currency: z.string() }
/** `regularAmount`: once discounts that end have ended. */
const price = {
  ...money,
  regularAmount: z.int().optional(),
  interval: z.enum(['MONTHLY', 'YEARLY']).nullable(),
}
/** What was charged already. */
const charged = z.int().nullish().describe('In minor units')
const fromTo = { fromPlanName: z.string(), toPlanName: z.string() }

const refundedPayment = z.object({ ...money, status: z.enum(['refunded', 'failed', 'task']) })

/** A payment to be refunded, and what became of it; a `task` is up to the merchant. */
export type RefundedPayment = z.infer<typeof refundedPayment>

/** What a member is told about their account. */
const accountEmailSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('email-changed'), newEmail: z.string() }),
  z.object({ kind: z.literal('password-changed') }),
  /** The account is removed because its address was never verified. */
  z.object({ kind: z.literal('account-expiring'), removedAt: instant }),
  /** What the first proof of the address removed. */
  z.object({
    kind: z.literal('address-proved'),
    password: z.enum(['removed', 'replaced']).nullable(),
    providerNames: z.array(z.string()),
    sessionsEnded: z.int(),
  }),
  z.object({ kind: z.literal('provider-connected'), providerName: z.string() }),
  z.object({
    kind: z.literal('account-deleted'),
    /** The plan that was paid for and ended with the account; null for none. */
    planName: z.string().nullable(),
    refunds: z.array(refundedPayment).default([]),
  }),
])

/** What a member is told about what they pay for. Times are ISO 8601 in UTC. */
const planEmailSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('subscribed'),
    planName: z.string(),
    ...price,
    charged,
    nextBillingDate: instant.nullable(),
    invoiceUrl: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('payment-failed'),
    planName: z.string(),
    ...money,
    /** The page that mends it; the member's account when null. */
    payUrl: z.string().nullable(),
    /** Null when the plan is closed already. */
    accessUntil: instant.nullable(),
  }),
  z.object({
    kind: z.literal('plan-closed'),
    planName: z.string(),
    ...money,
    /** The page that mends it; the member's account when null. */
    payUrl: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('plan-changed'),
    ...fromTo,
    ...price,
    charged,
    nextBillingDate: instant.nullable(),
    /** Whether it had been waiting for the period's end, where nothing is left to count in. */
    wasScheduled: z.boolean().default(false),
  }),
  z.object({ kind: z.literal('plan-change-scheduled'), ...fromTo, ...price, at: instant }),
  z.object({
    kind: z.literal('plan-change-canceled'),
    ...fromTo,
    ...price,
    nextBillingDate: instant.nullable(),
  }),
  z.object({ kind: z.literal('subscription-ending'), planName: z.string(), endsAt: instant }),
  z.object({
    kind: z.literal('subscription-resumed'),
    planName: z.string(),
    nextBillingDate: instant.nullable(),
  }),
  z.object({ kind: z.literal('subscription-ended'), planName: z.string() }),
  z.object({ kind: z.literal('subscription-ended-unpaid'), planName: z.string() }),
  /** `isSecond`: the member had paid twice. */
  refundedPayment.extend({ kind: z.literal('refund'), isSecond: z.boolean() }),
  z.object({ kind: z.literal('payment-disputed'), planName: z.string() }),
])

export const emailSchema = z.discriminatedUnion('kind', [accountEmailSchema, planEmailSchema])

export type AccountEmail = z.infer<typeof accountEmailSchema>
export type PlanEmail = z.infer<typeof planEmailSchema>
export type Email = AccountEmail | PlanEmail

const planEmailKinds = new Set<string>(planEmailSchema.options.map(({ shape }) => shape.kind.value))

/** Whether it is told of what a member pays for. */
export function isPlanEmail(email: Email): email is PlanEmail {
  return planEmailKinds.has(email.kind)
}
