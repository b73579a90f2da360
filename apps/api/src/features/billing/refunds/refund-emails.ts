import { findMember } from '#features/members/index.ts'
import { refundReasons } from '#integrations/payments/payment-gateway.ts'
import type { Db } from '#platform/database.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { findCustomer } from '../customers/customers.repository.ts'
import type { RefundRow } from './refunds.repository.ts'

export type RefundEmailDeps = Pick<BillingDeps, 'emails' | 'apps'> & {
  /** Get an email about each refund that needs a person. */
  operatorEmails: readonly string[]
}

/** Enqueues the emails about a refund: to the member, and to the operator if it failed or is to be made by hand. */
export async function enqueueRefundEmails(tx: Db, deps: RefundEmailDeps, row: RefundRow): Promise<void> {
  const customer = await findCustomer(tx, row.customerId)
  const app = customer === null ? undefined : (await deps.apps.directory()).byId.get(customer.appId)
  if (customer === null || app === undefined) return
  const { amount, currency, status, paymentIntentId: paymentId, invoiceId, refundId } = row
  const member = customer.memberId === null ? null : await findMember(tx, customer.memberId)
  // The email about the deletion of an account lists its refunds.
  if (member !== null && row.reason !== 'account-deleted') {
    const isSecond = row.reason === 'paid-twice'
    const email = { kind: 'refund', amount, currency, status, isSecond } as const
    const cause = `${status} ${paymentId} ${refundId}`
    await deps.emails.enqueueToProved(tx, app, member.id, email, { cause })
  }
  if (status === 'refunded') return
  const reason = refundReasons.find((one) => one === row.reason) ?? 'by-merchant'
  const ids = { paymentId, invoiceId, refundId }
  const email = { kind: 'refund-needs-person', amount, currency, status, reason, ...ids } as const
  for (const [index, to] of deps.operatorEmails.entries()) {
    const cause = [paymentId, refundId, ...(index === 0 ? [] : [to])].join(' ')
    await deps.emails.enqueue(tx, app, to, email, { cause })
  }
}
