import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { resourceMissing } from '../../protocol/errors.ts'
import { isWithin, listing, listOf } from '../../protocol/list.ts'
import { choice, object, text } from '../../protocol/params.ts'
import { invoicePaymentId, toWireInvoicePayment } from '../../wire/invoice.ts'

const payments = '/invoice_payments'

export const invoicePaymentEndpoints: Endpoint[] = [
  endpoint(
    'GET',
    payments,
    object({
      ...listing,
      invoice: text.optional(),
      payment: object({ payment_intent: text.optional(), type: choice('payment_intent') }).optional(),
      status: choice('canceled', 'open', 'paid').optional(),
    }),
    ({ world, params: { invoice, payment, status, created, ...page } }) => {
      const intentId = payment?.payment_intent
      const only = invoice ?? (intentId && world.of('paymentIntent').find(intentId)?.invoiceId)
      const isAsked = invoice !== undefined || intentId !== undefined
      const candidates = isAsked
        ? [world.of('invoice').find(only ?? '') ?? []].flat()
        : world.of('invoice').list()
      const found = candidates
        .filter((one) => one.paymentIntentId !== null && (!intentId || one.paymentIntentId === intentId))
        .map((one) => ({
          id: invoicePaymentId(one),
          created: one.created,
          wire: toWireInvoicePayment(one),
        }))
        .filter(({ wire, created: time }) => isWithin(created, time) && (!status || wire.status === status))
      return listOf(found, page, `/v1${payments}`, ({ wire }) => wire)
    },
  ),
  endpoint('GET', `${payments}/:id`, object({}), ({ world, id }) => {
    const invoice = world.of('invoice').find(id.replace(/^inpay_/, 'in_'))
    if (!invoice?.paymentIntentId) throw resourceMissing('invoice_payment', id)
    return toWireInvoicePayment(invoice)
  }),
]
