import { type Endpoint, endpoint } from '../../endpoints/endpoint.ts'
import { invalid } from '../../protocol/errors.ts'
import { choice, integerBetween, object, text } from '../../protocol/params.ts'
import type { Store } from '../../store/store.ts'
import { saveCustomer } from '../customers/customer.ts'

type CreditNote = { invoiceId: string; amount: number; creditAmount: number; memo: string | null }

/**
 * Credits a customer's balance for a paid invoice (https://docs.stripe.com/api/credit_notes/create). Only the invoice
 * remembers it. Throws for an unpaid invoice, and for more than its total.
 */
function creditPaidInvoice(store: Store, { invoiceId, amount, creditAmount, memo }: CreditNote) {
  const invoice = store.of('invoice').get(invoiceId, 'invoice')
  if (invoice.status !== 'paid')
    throw invalid('This emulator creates credit notes for paid invoices only.', { param: 'invoice' })
  if (amount !== creditAmount)
    throw invalid(`The sum of credit amount, refund amount and out of band amount must equal ${amount}.`)
  if (amount > invoice.total - invoice.creditedAmount)
    throw invalid('The credit note amount is greater than what can be credited.', { param: 'amount' })
  const { customerId, testClockId, currency, number } = invoice
  store.of('invoice').put({ ...invoice, creditedAmount: invoice.creditedAmount + amount })
  const customer = store.of('customer').get(customerId)
  saveCustomer(store, customer, { ...customer, balance: customer.balance - creditAmount })
  const id = store.newId('cn')
  const note = {
    id,
    object: 'credit_note',
    amount,
    amount_shipping: 0,
    created: store.now(testClockId),
    currency,
    customer: customerId,
    customer_account: null,
    customer_balance_transaction: id.replace(/^cn_/, 'cbtxn_'),
    discount_amount: 0,
    discount_amounts: [],
    effective_at: store.now(testClockId),
    invoice: invoiceId,
    lines: { object: 'list', data: [], has_more: false, url: `/v1/credit_notes/${id}/lines` },
    livemode: false,
    memo,
    metadata: {},
    number: `${number}-CN-01`,
    out_of_band_amount: null,
    pdf: `${store.pageOrigin()}/stripe/invoices/${invoiceId}`,
    post_payment_amount: amount,
    pre_payment_amount: 0,
    pretax_credit_amounts: [],
    reason: null,
    refunds: [],
    shipping_cost: null,
    status: 'issued',
    subtotal: amount,
    subtotal_excluding_tax: amount,
    total: amount,
    total_excluding_tax: amount,
    total_taxes: [],
    type: 'post_payment',
    voided_at: null,
  }
  store.emit('credit_note.created', note, { testClockId })
  return note
}

export const creditNoteEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    '/credit_notes',
    object({
      invoice: text,
      amount: integerBetween(1),
      credit_amount: integerBetween(0),
      email_type: choice('credit_note', 'none').optional(),
      memo: text.optional(),
    }),
    ({ store, params: { invoice, amount, credit_amount: creditAmount, memo = null } }) =>
      creditPaidInvoice(store, { invoiceId: invoice, amount, creditAmount, memo }),
  ),
]
