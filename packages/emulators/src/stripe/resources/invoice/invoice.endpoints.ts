import { isWithin, listing, listOf } from '../../protocol/list.ts'
import { choice, object, text } from '../../protocol/params.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { recordsOf } from '../records-of.ts'
import { retrieve } from '../retrieve.ts'
import { previewChange } from '../subscription/preview-change.ts'
import { billedChange, billedParams } from '../subscription/subscription.params.ts'
import type { InvoiceRecord } from './invoice.record.ts'
import { markUncollectible, voidInvoice } from './invoice.rules.ts'
import { toWireInvoice } from './invoice.ts'
import { payInvoice } from './pay-invoice.ts'

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
      ...listing,
      customer: text.optional(),
      status: choice('draft', 'open', 'paid', 'uncollectible', 'void').optional(),
      subscription: text.optional(),
    }),
    ({ store, params }) => {
      const { customer, status, subscription } = params
      const isWanted = (invoice: InvoiceRecord) =>
        (status === undefined || invoice.status === status) &&
        (subscription === undefined || invoice.subscriptionId === subscription) &&
        isWithin(params.created, invoice.created)
      const payer =
        customer ?? (subscription && store.of('subscription').get(subscription, 'subscription').customerId)
      const found = recordsOf(store, 'invoice', payer, isWanted)
      return listOf(found, params, `/v1${path}`, (one) => toWireInvoice(store, one))
    },
  ),
  retrieve(path, 'invoice', toWireInvoice),
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
