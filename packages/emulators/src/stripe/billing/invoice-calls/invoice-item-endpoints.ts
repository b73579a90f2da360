import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { retrieve } from '../../http/retrieve.ts'
import { invalid, parameterMissing, resourceMissing } from '../../protocol/errors.ts'
import { isWithin, listing, listOf } from '../../protocol/list.ts'
import { metadata, newMetadata } from '../../protocol/metadata.ts'
import { boolean, currency, integer, integerBetween, object, text } from '../../protocol/params.ts'
import type { InvoiceItemRecord } from '../../records/invoice.ts'
import { toWireInvoiceItem } from '../../wire/invoice.ts'
import { recordsOf } from '../records-of.ts'

const items = '/invoiceitems'

export const invoiceItemEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    items,
    object({
      amount: integer.optional(),
      currency: currency.optional(),
      customer: text,
      description: text.optional(),
      metadata: metadata.optional(),
      pricing: object({ price: text }).optional(),
      quantity: integerBetween(1, 999_999).optional(),
      subscription: text.optional(),
    }),
    ({ world, params }) => {
      const { testClockId } = world.of('customer').get(params.customer, 'customer')
      const { subscription: subscriptionId = null, pricing, quantity = 1, amount } = params
      if (subscriptionId) world.of('subscription').get(subscriptionId, 'subscription')
      const price = pricing ? world.of('price').get(pricing.price, 'pricing[price]') : undefined
      if (amount === undefined && !price) throw parameterMissing('amount')
      const now = world.now(testClockId)
      const id = world.newId('ii')
      const pairs = newMetadata(params.metadata)
      const item = world.of('invoiceItem').put({
        id,
        created: now,
        metadata: pairs,
        customerId: params.customer,
        subscriptionId,
        currency: price?.currency ?? params.currency ?? 'usd',
        line: {
          id: world.newId('il'),
          amount: amount ?? (price?.unitAmount ?? 0) * quantity,
          discountAmounts: [],
          description: params.description ?? '',
          period: { start: now, end: now },
          priceId: price?.id ?? null,
          productId: price?.productId ?? null,
          quantity,
          isProration: false,
          subscriptionId,
          subscriptionItemId: null,
          invoiceItemId: id,
          metadata: pairs,
        },
        invoiceId: null,
        deleted: false,
      })
      const wire = toWireInvoiceItem(world, item)
      world.emit('invoiceitem.created', wire, { testClockId })
      return wire
    },
  ),
  endpoint(
    'GET',
    items,
    object({
      ...listing,
      customer: text.optional(),
      invoice: text.optional(),
      pending: boolean.optional(),
    }),
    ({ world, params: { customer, invoice, pending, created, ...page } }) => {
      const isWanted = (item: InvoiceItemRecord) =>
        !item.deleted &&
        (invoice === undefined || item.invoiceId === invoice) &&
        (pending === undefined || (item.invoiceId === null) === pending) &&
        isWithin(created, item.created)
      const found = recordsOf(world, 'invoiceItem', customer, isWanted)
      return listOf(found, page, `/v1${items}`, (item) => toWireInvoiceItem(world, item))
    },
  ),
  retrieve(items, 'invoiceItem', toWireInvoiceItem),
  endpoint('DELETE', `${items}/:id`, object({}), ({ world, id }) => {
    const item = world.of('invoiceItem').get(id)
    if (item.deleted) throw resourceMissing('invoiceitem', id)
    if (item.invoiceId !== null) {
      throw invalid('You cannot delete an invoice item that is part of an invoice.')
    }
    world.of('invoiceItem').put({ ...item, deleted: true })
    world.emit('invoiceitem.deleted', toWireInvoiceItem(world, item))
    return { id, object: 'invoiceitem', deleted: true }
  }),
]
