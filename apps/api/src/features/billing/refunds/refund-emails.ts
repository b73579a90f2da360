import { findMember } from '#features/members/index.ts'
import type { Db } from '#platform/database.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { findCustomer } from '../customers/customers.repository.ts'
import type { RefundRow } from './refunds.repository.ts'

export type RefundEmailDeps = Pick<BillingDeps, 'emails' | 'apps'>

/** Enqueues the email to the member about a refund. The alert `refunds-waiting` tells the operator (ADR 98). */
export async function enqueueRefundEmail(tx: Db, deps: RefundEmailDeps, row: RefundRow): Promise<void> {
  const customer = await findCustomer(tx, row.customerId)
  const app = customer === null ? undefined : (await deps.apps.directory()).byId.get(customer.appId)
  if (customer === null || app === undefined) return
  const { amount, currency, status, paymentIntentId: paymentId, refundId } = row
  const member = customer.memberId === null ? null : await findMember(tx, customer.memberId)
  // The email about the deletion of an account lists its refunds.
  if (member !== null && row.reason !== 'account-deleted') {
    const isSecond = row.reason === 'paid-twice'
    const email = { kind: 'refund', amount, currency, status, isSecond } as const
    const cause = `${status} ${paymentId} ${refundId}`
    await deps.emails.enqueueToProved(tx, app, member.id, email, { cause })
  }
}
