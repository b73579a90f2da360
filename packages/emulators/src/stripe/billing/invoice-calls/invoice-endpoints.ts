import { emitChange } from '../../events/emit-change.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { retrieve } from '../../http/retrieve.ts'
import { invalid } from '../../protocol/errors.ts'
import { isWithin, listing, listOf, pagination } from '../../protocol/list.ts'
import { changeMetadata, metadata, newMetadata } from '../../protocol/metadata.ts'
import { boolean, choice, currency, object, text } from '../../protocol/params.ts'
import type { InvoiceRecord } from '../../records/invoice.ts'
import { toWireInvoice, toWireLine } from '../../wire/invoice.ts'
import type { World } from '../../world/world.ts'
import {
  draftInvoice,
  finalizeInvoice,
  markUncollectible,
  tellOfInvoice,
  voidInvoice,
} from '../invoices/invoices.ts'
import { payInvoice, payOutOfBand } from '../payments/paying.ts'
import { recordsOf } from '../records-of.ts'
import { invoicePreviewParams, previewInvoice } from './invoice-preview.ts'

const path = '/invoices'

const described = {
  auto_advance: boolean.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
}

export const invoiceEndpoints: Endpoint[] = [
  endpoint('POST', `${path}/create_preview`, invoicePreviewParams, ({ world, params }) =>
    toWireInvoice(world, previewInvoice(world, params)),
  ),
  endpoint(
    'POST',
    path,
    object({
      ...described,
      collection_method: choice('charge_automatically').optional(),
      currency: currency.optional(),
      customer: text,
      pending_invoice_items_behavior: choice('exclude', 'include').optional(),
      subscription: text.optional(),
    }),
    ({ world, params }) => toWireInvoice(world, createInvoice(world, params)),
  ),
  endpoint(
    'GET',
    path,
    object({
      ...listing,
      collection_method: choice('charge_automatically', 'send_invoice').optional(),
      customer: text.optional(),
      status: choice('draft', 'open', 'paid', 'uncollectible', 'void').optional(),
      subscription: text.optional(),
    }),
    ({ world, params }) => {
      const { customer, status, subscription } = params
      const isWanted = (invoice: InvoiceRecord) =>
        (status === undefined || invoice.status === status) &&
        (subscription === undefined || invoice.subscriptionId === subscription) &&
        params.collection_method !== 'send_invoice' &&
        isWithin(params.created, invoice.created)
      const payer =
        customer ?? (subscription && world.of('subscription').get(subscription, 'subscription').customerId)
      const found = recordsOf(world, 'invoice', payer, isWanted)
      return listOf(found, params, `/v1${path}`, (one) => toWireInvoice(world, one))
    },
  ),
  retrieve(path, 'invoice', toWireInvoice),
  endpoint('POST', `${path}/:id`, object(described), ({ world, params, id }) => {
    const before = world.of('invoice').get(id)
    const earlier = toWireInvoice(world, before)
    const invoice = world.of('invoice').put({
      ...before,
      description: params.description ?? before.description,
      metadata: changeMetadata(before.metadata, params.metadata),
      autoAdvance: params.auto_advance ?? before.autoAdvance,
    })
    const wire = toWireInvoice(world, invoice)
    emitChange(world, 'invoice.updated', earlier, wire, invoice.testClockId)
    return wire
  }),
  endpoint('DELETE', `${path}/:id`, object({}), ({ world, id }) => deleteDraft(world, id)),
  endpoint('GET', `${path}/:id/lines`, object(pagination), ({ world, params, id }) => {
    const invoice = world.of('invoice').get(id)
    return listOf(invoice.lines, params, `/v1${path}/${id}/lines`, (line) => toWireLine(invoice, line))
  }),
  endpoint(
    'POST',
    `${path}/:id/pay`,
    object({
      forgive: boolean.optional(),
      off_session: boolean.optional(),
      paid_out_of_band: boolean.optional(),
      payment_method: text.optional(),
    }),
    ({ world, params, id }) => {
      if (params.forgive) throw invalid('This stand-in has no `forgive`.', { param: 'forgive' })
      const invoice = params.paid_out_of_band
        ? payOutOfBand(world, id)
        : payInvoice(world, id, { paymentMethodId: params.payment_method })
      return toWireInvoice(world, invoice)
    },
  ),
  endpoint(
    'POST',
    `${path}/:id/finalize`,
    object({ auto_advance: boolean.optional() }),
    ({ world, params, id }) => {
      const open = finalizeInvoice(world, id)
      const autoAdvance = params.auto_advance ?? open.autoAdvance
      return toWireInvoice(world, world.of('invoice').put({ ...open, autoAdvance }))
    },
  ),
  endpoint('POST', `${path}/:id/void`, object({}), ({ world, id }) =>
    toWireInvoice(world, voidInvoice(world, id)),
  ),
  endpoint('POST', `${path}/:id/mark_uncollectible`, object({}), ({ world, id }) =>
    toWireInvoice(world, markUncollectible(world, id)),
  ),
  endpoint('POST', `${path}/:id/send`, object({}), ({ world, id }) => {
    const found = world.of('invoice').get(id)
    const invoice = found.status === 'draft' ? finalizeInvoice(world, id) : found
    tellOfInvoice(world, 'invoice.sent', invoice)
    return toWireInvoice(world, invoice)
  }),
]

type NewInvoice = {
  customer: string
  subscription?: string | undefined
  currency?: string | undefined
  description?: string | undefined
  metadata?: Record<string, string> | null | undefined
  auto_advance?: boolean | undefined
  pending_invoice_items_behavior?: 'exclude' | 'include' | undefined
}

function createInvoice(world: World, params: NewInvoice): InvoiceRecord {
  const { customer: customerId, subscription: subscriptionId = null } = params
  const { testClockId } = world.of('customer').get(customerId, 'customer')
  if (subscriptionId) world.of('subscription').get(subscriptionId, 'subscription')
  const now = world.now(testClockId)
  return draftInvoice(world, {
    customerId,
    subscriptionId,
    billingReason: 'manual',
    currency: params.currency ?? 'usd',
    lines: [],
    takesWaiting: params.pending_invoice_items_behavior === 'include' || subscriptionId !== null,
    discounts: [],
    period: { start: now, end: now },
    autoAdvance: params.auto_advance ?? false,
    description: params.description ?? null,
    metadata: newMetadata(params.metadata),
  })
}

function deleteDraft(world: World, id: string) {
  const invoice = world.of('invoice').get(id)
  if (invoice.status !== 'draft' || invoice.subscriptionId) {
    throw invalid('You can only delete draft invoices that belong to no subscription.', {
      code: 'invoice_not_editable',
    })
  }
  const taken = world.of('invoiceItem').ofCustomer(invoice.customerId, ({ invoiceId }) => invoiceId === id)
  for (const item of taken) world.of('invoiceItem').put({ ...item, invoiceId: null })
  world.of('invoice').remove(id)
  tellOfInvoice(world, 'invoice.deleted', invoice)
  return { id, object: 'invoice', deleted: true }
}
