import { escapeHtml } from '../../html.ts'
import type { InvoiceRecord } from '../resources/invoice/invoice.record.ts'
import type { Store } from '../store/store.ts'
import { cardField, cardOffers } from './card-form.ts'
import { formatDay, formatMoney, page, rows } from './page.ts'

/** Where an invoice's page is, below the origin. Its id cannot be guessed. */
export function invoicePath(id: string): string {
  return `/stripe/invoices/${id}`
}

/** An invoice as its customer sees it, with a form that pays for it while it is open. */
export function invoicePage(
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

/** How far an invoice has got, in a word or two. */
export function stateOf({ status }: InvoiceRecord): string {
  switch (status) {
    case 'paid':
      return 'Paid'
    case 'open':
      return 'Not paid yet'
    case 'void':
      return 'Void'
    case 'uncollectible':
      return 'Given up'
    case 'draft':
      return 'Draft'
  }
}
