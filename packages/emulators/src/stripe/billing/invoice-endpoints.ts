import type { z } from 'zod'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { invalid } from '../errors.ts'
import { listOf } from '../list.ts'
import {
  boolean,
  changeMetadata,
  choice,
  createdRange,
  currency,
  emptyable,
  isWithin,
  list,
  metadata,
  newMetadata,
  object,
  pagination,
  text,
  timestamp,
} from '../params.ts'
import type { InvoiceRecord } from '../records.ts'
import { toWireInvoice, toWireLine } from '../wire/invoice.ts'
import type { World } from '../world.ts'
import { previewChange } from './change.ts'
import { draftInvoice, finalizeInvoice, markUncollectible, tellOfInvoice, voidInvoice } from './invoices.ts'
import { ofCustomer } from './of-customer.ts'
import { payInvoice, payOutOfBand } from './paying.ts'
import { previewStart } from './start.ts'
import {
  billingCycleAnchor,
  changedItem,
  discounts,
  discountWishes,
  itemChangesOf,
  prorationBehavior,
  trialEnd,
} from './subscription-params.ts'

const path = '/invoices'

const previewParams = object({
  currency: currency.optional(),
  customer: text.optional(),
  discounts: discounts.optional(),
  preview_mode: choice('next', 'recurring').optional(),
  subscription: text.optional(),
  subscription_details: object({
    billing_cycle_anchor: billingCycleAnchor.optional(),
    cancel_at: emptyable(timestamp).optional(),
    cancel_at_period_end: boolean.optional(),
    items: list(changedItem).optional(),
    proration_behavior: prorationBehavior.optional(),
    proration_date: timestamp.optional(),
    trial_end: trialEnd.optional(),
  }).optional(),
})

const described = {
  auto_advance: boolean.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
}

export const invoiceEndpoints: Endpoint[] = [
  endpoint('POST', `${path}/create_preview`, previewParams, ({ world, params }) =>
    toWireInvoice(world, preview(world, params)),
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
      ...pagination,
      collection_method: choice('charge_automatically', 'send_invoice').optional(),
      created: createdRange.optional(),
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
      const invoices = world.of('invoice')
      const found = payer
        ? ofCustomer(world, 'invoice', payer, isWanted)
        : invoices.list((one) => one.testClockId === null && isWanted(one))
      return listOf(found, params, `/v1${path}`, (one) => toWireInvoice(world, one))
    },
  ),
  endpoint('GET', `${path}/:id`, object({}), ({ world, path: { id = '' } }) =>
    toWireInvoice(world, world.of('invoice').get(id)),
  ),
  endpoint('POST', `${path}/:id`, object(described), ({ world, params, path: { id = '' } }) => {
    const before = world.of('invoice').get(id)
    const invoice = world.of('invoice').put({
      ...before,
      description: params.description ?? before.description,
      metadata: changeMetadata(before.metadata, params.metadata),
      autoAdvance: params.auto_advance ?? before.autoAdvance,
    })
    tellOfInvoice(world, 'invoice.updated', invoice)
    return toWireInvoice(world, invoice)
  }),
  endpoint('DELETE', `${path}/:id`, object({}), ({ world, path: { id = '' } }) => deleteDraft(world, id)),
  endpoint('GET', `${path}/:id/lines`, object(pagination), ({ world, params, path: { id = '' } }) => {
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
    ({ world, params, path: { id = '' } }) => {
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
    ({ world, params, path: { id = '' } }) => {
      const open = finalizeInvoice(world, id)
      const autoAdvance = params.auto_advance ?? open.autoAdvance
      return toWireInvoice(world, world.of('invoice').put({ ...open, autoAdvance }))
    },
  ),
  endpoint('POST', `${path}/:id/void`, object({}), ({ world, path: { id = '' } }) =>
    toWireInvoice(world, voidInvoice(world, id)),
  ),
  endpoint('POST', `${path}/:id/mark_uncollectible`, object({}), ({ world, path: { id = '' } }) =>
    toWireInvoice(world, markUncollectible(world, id)),
  ),
  endpoint('POST', `${path}/:id/send`, object({}), ({ world, path: { id = '' } }) => {
    const found = world.of('invoice').get(id)
    const invoice = found.status === 'draft' ? finalizeInvoice(world, id) : found
    tellOfInvoice(world, 'invoice.sent', invoice)
    return toWireInvoice(world, invoice)
  }),
]

function preview(world: World, params: z.infer<typeof previewParams>): InvoiceRecord {
  const { subscription, customer, subscription_details: details = {} } = params
  const wishes = discountWishes(params.discounts)
  if (subscription !== undefined) {
    const { customerId } = world.of('subscription').get(subscription, 'subscription')
    if (customer !== undefined && customer !== customerId) {
      throw invalid(`Customer ${customer} does not have a subscription with ID ${subscription}`, {
        param: 'subscription',
      })
    }
    return previewChange(world, subscription, {
      items: itemChangesOf(details.items),
      prorationBehavior: details.proration_behavior,
      prorationDate: details.proration_date,
      billingCycleAnchor: details.billing_cycle_anchor?.type,
      trialEnd: details.trial_end,
      cancelAt: details.cancel_at,
      cancelAtPeriodEnd: details.cancel_at_period_end,
      discounts: wishes,
    })
  }
  if (customer === undefined) {
    throw invalid('You must provide one of `customer` or `subscription`.', {
      code: 'parameter_missing',
      param: 'customer',
    })
  }
  world.of('customer').get(customer, 'customer')
  const items = (details.items ?? []).flatMap(({ price, quantity }) =>
    price ? [{ priceId: price, quantity }] : [],
  )
  if (items.length > 0) {
    const discountsWanted = wishes ?? []
    return previewStart(world, {
      customerId: customer,
      items,
      discounts: discountsWanted,
      trialEnd: details.trial_end,
    })
  }
  const [running] = world
    .of('subscription')
    .ofCustomer(customer, ({ status }) => status !== 'canceled' && status !== 'incomplete_expired')
  if (running) return previewChange(world, running.id)
  throw invalid(`No upcoming invoices for customer: ${customer}`, {
    code: 'invoice_upcoming_none',
    status: 404,
  })
}

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
