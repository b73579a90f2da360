import { invalid } from '../../protocol/errors.ts'
import { emitChange, type Store } from '../../store/store.ts'
import { finalizeInvoice } from './invoice.rules.ts'
import { type InvoiceRecord, toWireInvoice } from './invoice.ts'

/** How long Stripe waits before it finalizes a draft (https://docs.stripe.com/billing/invoices/subscription). */
export const draftSeconds = 3_600

/** Turns the automatic advancement of a draft or open invoice on or off. Throws for any other invoice. */
export function setAutoAdvance(store: Store, id: string, autoAdvance: boolean): InvoiceRecord {
  const before = store.of('invoice').get(id)
  if (before.status !== 'draft' && before.status !== 'open')
    throw invalid(`You can't update an invoice that is ${before.status}.`, { code: 'invoice_not_editable' })
  return advance(store, before, autoAdvance)
}

/** Finalizes a draft at once, as `POST /v1/invoices/:id/finalize` does. An advancing one is charged later. */
export function finalizeNow(store: Store, id: string, autoAdvance: boolean | undefined): InvoiceRecord {
  const open = finalizeInvoice(store, id)
  return open.status === 'open' ? advance(store, open, autoAdvance ?? open.autoAdvance) : open
}

function advance(store: Store, before: InvoiceRecord, autoAdvance: boolean): InvoiceRecord {
  const at = autoAdvance ? store.now(before.testClockId) + draftSeconds : null
  const when = before.status === 'draft' ? { finalizesAt: at } : { nextPaymentAttempt: at }
  const invoice = store.of('invoice').put({ ...before, ...when, autoAdvance })
  const [earlier, now] = [toWireInvoice(store, before), toWireInvoice(store, invoice)]
  emitChange(store, 'invoice.updated', earlier, now, invoice.testClockId)
  return invoice
}
