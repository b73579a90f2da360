import type { CheckedAccount } from '#features/billing/index.ts'
import type { UnpaidInvoice } from '#integrations/payments/account-inspection.ts'
import { type Finding, note, ok, type Section, todo } from './finding.ts'

const hourMs = 3_600_000
const reconciledMs = 30 * 24 * hourMs

/** Checks for refunds and invoices that wait for a person, and for syncs that wait for a worker. */
export function checkLeftovers(account: CheckedAccount): Section {
  const { inspection, failedRefunds, manualRefunds, overdueSyncs, checkedAt } = account
  // A sync settles the invoices of an ended subscription, and may still be running.
  const settledBefore = checkedAt.getTime() - hourMs
  const ended = inspection.unpaid.filter(
    ({ subscriptionEndedAt }) =>
      subscriptionEndedAt !== null && subscriptionEndedAt.getTime() < settledBefore,
  )
  const failed = inspection.unpaid.filter(({ finalizationError }) => finalizationError !== null)
  const findings = [
    failedRefunds === 0
      ? ok('No refund has failed.')
      : todo(
          `${failedRefunds} refunds failed. \`tidings payments report\` lists them; make them in the dashboard.`,
        ),
    ...(manualRefunds === 0
      ? []
      : [todo(`${manualRefunds} payments wait for your refund. \`tidings payments report\` lists them.`)]),
    overdueSyncs === 0
      ? ok('No customer waits for a sync.')
      : todo(
          `${overdueSyncs} customers have waited for more than 15 minutes. Start a worker; it syncs them.`,
        ),
    ended.length === 0 ? ok('No ended subscription has an open invoice.') : null,
    ...ended.map((invoice) => openAfterEnd(invoice, checkedAt)),
    ...failed.map(({ id, finalizationError }) =>
      todo(
        `${id} could not be finalized (${finalizationError}), so it isn't charged. Correct the cause, such as the customer's address, then finalize it in the dashboard.`,
      ),
    ),
    clocks(inspection),
  ]
  return { title: 'Left to do', findings: findings.filter((finding) => finding !== null) }
}

function openAfterEnd(
  { id, status, subscriptionId, subscriptionEndedAt }: UnpaidInvoice,
  now: Date,
): Finding {
  const isOld = (subscriptionEndedAt?.getTime() ?? 0) < now.getTime() - reconciledMs
  const remedy = isOld ? 'Void it in the dashboard.' : '`tidings payments reconcile` closes it.'
  return todo(`${id} is ${status}, although ${subscriptionId} has ended. ${remedy}`)
}

function clocks({ testClocks, account }: CheckedAccount['inspection']): Finding | null {
  if (account.isLive || testClocks === null) return null
  return testClocks === 0
    ? ok('No test clock is left.')
    : note(`${testClocks} test clocks are left. Delete them in the dashboard when your tests are done.`)
}
