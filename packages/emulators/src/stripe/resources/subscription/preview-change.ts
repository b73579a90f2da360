import { invalid } from '../../protocol/errors.ts'
import type { Store } from '../../store/store.ts'
import type { InvoiceLineRecord, InvoiceRecord } from '../invoice/invoice.record.ts'
import { composeInvoice, type InvoiceInput } from '../invoice/invoice.rules.ts'
import { periodLine } from '../invoice/lines.ts'
import { nextPeriod } from '../subscription-schedule/next-period.ts'
import { cancellationPatch, discountsAfter, type SubscriptionChange } from './change-patch.ts'
import { planChange } from './plan-change.ts'
import { hasEnded } from './running-subscriptions.ts'
import type { SubscriptionRecord } from './subscription.record.ts'

/**
 * Returns the invoice that a change would lead to: the one made with the change, or else the next one at the period's
 * end. Nothing is kept. Throws `invoice_upcoming_none` when no invoice follows.
 */
export function previewChange(store: Store, id: string, change: SubscriptionChange = {}): InvoiceRecord {
  const before = store.of('subscription').get(id, 'subscription')
  if (hasEnded(before)) throw noUpcoming(before)
  const { lines, ...billed } = planChange(store, before, change)
  const discounts = discountsAfter(store, before, change, { isPreview: true })
  const previewId = store.newId('upcoming_in')
  if (lines) return composeInvoice(store, previewId, { ...invoiceOfChange(store, before, lines), discounts })
  const now = store.now(before.testClockId)
  const { cancelAt } = { ...before, ...cancellationPatch(before, billed, change, now) }
  const { currentPeriodStart: start, currentPeriodEnd: end } = billed.item
  if (cancelAt !== null && cancelAt <= end) throw noUpcoming(before)
  const { item } = nextPeriod(store, { ...before, ...billed }, end)
  return store.at(end, before.testClockId, () =>
    composeInvoice(store, previewId, {
      subscription: before,
      billingReason: 'upcoming',
      lines: [periodLine(store, before, item)],
      discounts,
      period: { start, end },
    }),
  )
}

/** Returns the invoice made with a change. */
export function invoiceOfChange(
  store: Store,
  subscription: SubscriptionRecord,
  lines: InvoiceLineRecord[],
): InvoiceInput {
  const now = store.now(subscription.testClockId)
  return {
    subscription,
    billingReason: 'subscription_update',
    lines,
    discounts: subscription.discounts,
    period: { start: now, end: now },
  }
}

function noUpcoming({ customerId }: SubscriptionRecord) {
  return invalid(`No upcoming invoices for customer: ${customerId}`, {
    code: 'invoice_upcoming_none',
    status: 404,
  })
}
