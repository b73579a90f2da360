import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../../http/html.ts'
import { ApiError, orApiError, resourceMissing } from '../protocol/errors.ts'
import { accountSettings } from '../resources/account/account.ts'
import type { InvoiceRecord } from '../resources/billing/invoice.ts'
import { tryInvoice } from '../resources/billing/pay-invoice.ts'
import { newPaymentMethod } from '../resources/customers/payment-method.ts'
import { changeCard } from '../resources/portal/portal-actions.ts'
import type { Store } from '../store/store.ts'
import { authenticationFailed, authenticationPage, cardField, cardOffers, digitsOf } from './card-form.ts'
import {
  fieldsOf,
  formatDay,
  formatMoney,
  page,
  rows,
  type StripePages,
  sendStripePage,
  servePages,
} from './page.ts'

/** Returns the path of an invoice's page. The id is secret. */
export function invoicePath(id: string): string {
  return `/stripe/invoices/${id}`
}

/** Returns an invoice's page, with a payment form while it is open. */
function invoicePage(
  store: Store,
  invoice: InvoiceRecord,
  typed: { card: string; problem?: string | undefined },
): string {
  const money = (amount: number) => escapeHtml(formatMoney(amount, invoice.currency))
  const customer = store.of('customer').get(invoice.customerId)
  const isOpen = invoice.status === 'open' && invoice.amountRemaining > 0
  const discount = invoice.total - invoice.subtotal
  const lines = rows([
    ...invoice.lines.map((line) => [line.description, money(line.amount)] as const),
    ...(discount === 0 ? [] : [['Discount', money(discount)] as const]),
    ['Total', `<strong>${money(invoice.total)}</strong>`],
  ])
  const form = `<form method="post" action="${escapeHtml(invoicePath(invoice.id))}">
${cardField(typed.card, typed.problem)}
${accountSettings(store).hostedPaymentMethodSave === 'offer' ? '<label><input type="checkbox" name="save"> Save for later payments</label>' : ''}
<button name="answer" value="pay">Pay ${money(invoice.amountRemaining)}</button>
${cardOffers()}</form>`
  return page(
    `Invoice ${invoice.number ?? ''}`,
    `<h1>Invoice ${escapeHtml(invoice.number ?? '')}</h1>
<p class="lead">${formatDay(invoice.created)} · ${escapeHtml(customer.email ?? customer.name ?? customer.id)}</p>
<p class="status">${stateOf(invoice)}</p>
${lines}
${isOpen ? form : ''}`,
  )
}

export function stateOf({ status }: InvoiceRecord): string {
  switch (status) {
    case 'paid':
      return 'Paid'
    case 'open':
      return 'Unpaid'
    case 'void':
      return 'Void'
    case 'uncollectible':
      return 'Uncollectible'
    case 'draft':
      return 'Draft'
  }
}

type Path = { Params: { invoice: string } }

/**
 * Serves `hosted_invoice_url`. The card that pays becomes the customer's default, unless the account's setting
 * `hosted_payment_method_save` is `never`, or `offer` and the customer doesn't choose to save it.
 */
export function addInvoicePages(app: FastifyInstance, { store, onFailure }: StripePages): void {
  const path = invoicePath(':invoice')

  app.register(async (pages) => {
    servePages(pages, onFailure)

    pages.get<Path>(path, (request, reply) =>
      sendStripePage(reply, invoicePage(store, issued(store, request.params.invoice), { card: '' })),
    )

    pages.post<Path>(path, (request, reply) => {
      const invoice = issued(store, request.params.invoice)
      const { answer, card = '', fill, save } = fieldsOf(request)
      const show = (typed: { card: string; problem?: string }) =>
        sendStripePage(reply, invoicePage(store, store.of('invoice').get(invoice.id), typed))
      if (invoice.status !== 'open') return reply.redirect(invoicePath(invoice.id), 303)
      if (fill) return show({ card: fill })
      if (answer === 'fail-authentication') return show({ card, problem: authenticationFailed })
      const outcome = orApiError(() =>
        store.transact(() =>
          pay(store, invoice, digitsOf(card), { isAuthenticated: answer === 'authenticate', save }),
        ),
      )
      if (outcome instanceof ApiError) return show({ card, problem: outcome.message })
      if (outcome === 'paid') return reply.redirect(invoicePath(invoice.id), 303)
      if (outcome !== 'needs-authentication') return show({ card: '', problem: outcome.refused })
      const action = invoicePath(invoice.id)
      const amount = formatMoney(invoice.amountRemaining, invoice.currency)
      const page = authenticationPage({
        action,
        back: action,
        card,
        amount,
        hidden: { card, ...(save === undefined ? {} : { save }) },
      })
      return sendStripePage(reply, page)
    })
  })
}

/** Returns an invoice. Throws `resource_missing` for a draft. */
function issued(store: Store, id: string): InvoiceRecord {
  const invoice = store.of('invoice').get(id)
  if (invoice.status === 'draft') throw resourceMissing('invoice', id)
  return invoice
}

function pay(
  store: Store,
  { id, customerId }: InvoiceRecord,
  card: string,
  { isAuthenticated, save }: { isAuthenticated: boolean; save: string | undefined },
): 'paid' | 'needs-authentication' | { refused: string } {
  if (!keepsCard(store, customerId, save)) return payOnce(store, id, card, isAuthenticated)
  const change = changeCard(store, customerId, card, { isAuthenticated })
  if (change.kind === 'needs-authentication') return change.kind
  if (store.of('invoice').get(id).status === 'paid') return 'paid'
  // Two cases remain: an invoice of an ended subscription, or a card that was just declined.
  if (change.refused) return { refused: change.refused }
  const { answer } = tryInvoice(store, id, { paymentMethodId: change.cardId, isAuthenticated })
  if (answer.kind === 'paid') return 'paid'
  return answer.kind === 'declined' ? { refused: answer.message } : 'needs-authentication'
}

/** A customer without a default card keeps it in any case. */
function keepsCard(store: Store, customerId: string, save: string | undefined): boolean {
  const { hostedPaymentMethodSave: setting } = accountSettings(store)
  const hasDefault = store.of('customer').get(customerId).defaultPaymentMethodId !== null
  return !hasDefault || setting === 'always' || (setting === 'offer' && save === 'on')
}

function payOnce(
  store: Store,
  id: string,
  card: string,
  isAuthenticated: boolean,
): 'paid' | 'needs-authentication' | { refused: string } {
  const { id: paymentMethodId } = newPaymentMethod(store, card)
  const { answer } = tryInvoice(store, id, { paymentMethodId, isAuthenticated })
  if (answer.kind === 'paid') return 'paid'
  return answer.kind === 'declined' ? { refused: answer.message } : 'needs-authentication'
}
