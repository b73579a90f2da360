import { type Endpoint, endpoint, recordsOf, retrieve } from '../../endpoints/endpoint.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import { boolean, choice, object, text } from '../../protocol/params.ts'
import { finalizeNow, setAutoAdvance } from './advance-invoice.ts'
import { previewChange } from './change-subscription.ts'
import { markUncollectible, voidInvoice } from './invoice.rules.ts'
import { type InvoiceRecord, invoicePayments, toWireInvoice } from './invoice.ts'
import { payInvoice } from './pay-invoice.ts'
import { billedChange, billedParams } from './subscription.endpoints.ts'

const path = '/invoices'
const { discounts, ...details } = billedParams

export const invoiceEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    `${path}/create_preview`,
    object({ discounts, subscription: text, subscription_details: object(details).optional() }),
    ({ store, params: { subscription, subscription_details: change, discounts: wanted } }) =>
      toWireInvoice(
        store,
        previewChange(store, subscription, billedChange({ ...change, discounts: wanted })),
      ),
  ),
  endpoint(
    'GET',
    path,
    object({
      ...pagination,
      customer: text.optional(),
      status: choice('draft', 'open', 'paid', 'uncollectible', 'void').optional(),
      subscription: text.optional(),
    }),
    ({ store, params }) => {
      const { customer, status, subscription } = params
      const isWanted = (invoice: InvoiceRecord) =>
        (status === undefined || invoice.status === status) &&
        (subscription === undefined || invoice.subscriptionId === subscription)
      const payer =
        customer ?? (subscription && store.of('subscription').get(subscription, 'subscription').customerId)
      const found = recordsOf(store, 'invoice', payer, isWanted)
      return listOf(found, params, `/v1${path}`, (one) => toWireInvoice(store, one))
    },
  ),
  retrieve(path, 'invoice', toWireInvoice),
  endpoint('POST', `${path}/:id`, object({ auto_advance: boolean }), ({ store, params, id }) =>
    toWireInvoice(store, setAutoAdvance(store, id, params.auto_advance)),
  ),
  endpoint(
    'POST',
    `${path}/:id/finalize`,
    object({ auto_advance: boolean.optional() }),
    ({ store, params, id }) => toWireInvoice(store, finalizeNow(store, id, params.auto_advance)),
  ),
  endpoint('POST', `${path}/:id/pay`, object({ payment_method: text.optional() }), ({ store, params, id }) =>
    toWireInvoice(store, payInvoice(store, id, { paymentMethodId: params.payment_method })),
  ),
  endpoint('POST', `${path}/:id/void`, object({}), ({ store, id }) =>
    toWireInvoice(store, voidInvoice(store, id)),
  ),
  endpoint('POST', `${path}/:id/mark_uncollectible`, object({}), ({ store, id }) =>
    toWireInvoice(store, markUncollectible(store, id)),
  ),
]

const paymentsPath = '/invoice_payments'

export const invoicePaymentEndpoints: Endpoint[] = [
  endpoint(
    'GET',
    paymentsPath,
    object({
      ...pagination,
      invoice: text.optional(),
      payment: object({ payment_intent: text, type: choice('payment_intent') }).optional(),
      status: choice('canceled', 'open', 'paid').optional(),
    }),
    ({ store, params: { invoice, payment, status, ...page } }) => {
      const intent = store.of('paymentIntent').find(payment?.payment_intent ?? '')
      const found = store.of('invoice').find(invoice ?? intent?.invoiceId ?? '')
      const payments = found ? invoicePayments(found).data : []
      const wanted = payments.filter((one) => status === undefined || one.status === status)
      return listOf(wanted, page, `/v1${paymentsPath}`, (one) => one)
    },
  ),
]
