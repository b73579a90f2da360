import { listOf, pagination } from '../../protocol/list.ts'
import { choice, object, text } from '../../protocol/params.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { invoicePayments } from './invoice.ts'

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
