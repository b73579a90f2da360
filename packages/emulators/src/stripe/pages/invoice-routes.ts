import type { FastifyInstance } from 'fastify'
import { ApiError, orApiError, resourceMissing } from '../protocol/errors.ts'
import type { InvoiceRecord } from '../resources/invoice/invoice.record.ts'
import { tryInvoice } from '../resources/invoice/pay-invoice.ts'
import { changeCard } from '../resources/portal-session/change-card.ts'
import type { Store } from '../store/store.ts'
import { authenticationFailed, authenticationPage, digitsOf } from './card-form.ts'
import { invoicePage, invoicePath } from './invoice-page.ts'
import { formatMoney, sendStripePage } from './page.ts'
import { fieldsOf, type StripePages, servePages } from './serve-pages.ts'

type Path = { Params: { invoice: string } }

/** The page of each invoice, `hosted_invoice_url`: a card that pays there is also the one that pays from then on. */
export function addInvoicePages(app: FastifyInstance, { store, onFailure }: StripePages): void {
  const path = invoicePath(':invoice')

  app.register(async (pages) => {
    servePages(pages, onFailure)

    pages.get<Path>(path, (request, reply) =>
      sendStripePage(reply, invoicePage(store, issued(store, request.params.invoice), { card: '' })),
    )

    pages.post<Path>(path, (request, reply) => {
      const invoice = issued(store, request.params.invoice)
      const { answer, card = '', fill } = fieldsOf(request)
      const show = (typed: { card: string; problem?: string }) =>
        sendStripePage(reply, invoicePage(store, store.of('invoice').get(invoice.id), typed))
      if (invoice.status !== 'open') return reply.redirect(invoicePath(invoice.id), 303)
      if (fill) return show({ card: fill })
      if (answer === 'fail-authentication') return show({ card, problem: authenticationFailed })
      const outcome = orApiError(() =>
        store.transact(() => pay(store, invoice, digitsOf(card), answer === 'authenticate')),
      )
      if (outcome instanceof ApiError) return show({ card, problem: outcome.message })
      if (outcome === 'paid') return reply.redirect(invoicePath(invoice.id), 303)
      if (outcome !== 'needs-authentication') return show({ card: '', problem: outcome.refused })
      const action = invoicePath(invoice.id)
      const amount = formatMoney(invoice.amountRemaining, invoice.currency)
      const page = authenticationPage({ action, back: action, card, amount, hidden: { card } })
      return sendStripePage(reply, page)
    })
  })
}

/** An invoice that its customer may see. Throws `resource_missing` for a draft, as for none. */
function issued(store: Store, id: string): InvoiceRecord {
  const invoice = store.of('invoice').get(id)
  if (invoice.status === 'draft') throw resourceMissing('invoice', id)
  return invoice
}

function pay(
  store: Store,
  { id, customerId }: InvoiceRecord,
  card: string,
  isAuthenticated: boolean,
): 'paid' | 'needs-authentication' | { refused: string } {
  const change = changeCard(store, customerId, card, { isAuthenticated })
  if (change.kind === 'needs-authentication') return change.kind
  if (store.of('invoice').get(id).status === 'paid') return 'paid'
  // What is left: an invoice of no running subscription, or a card that was refused for it just now.
  if (change.refused) return { refused: change.refused }
  const { answer } = tryInvoice(store, id, { paymentMethodId: change.cardId, isAuthenticated })
  if (answer.kind === 'paid') return 'paid'
  return answer.kind === 'declined' ? { refused: answer.message } : 'needs-authentication'
}
