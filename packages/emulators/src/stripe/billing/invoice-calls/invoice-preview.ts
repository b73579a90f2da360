import type { z } from 'zod'
import { invalid } from '../../protocol/errors.ts'
import { boolean, choice, currency, emptyable, list, object, text, timestamp } from '../../protocol/params.ts'
import type { InvoiceRecord } from '../../records/invoice.ts'
import { runningSubscriptions } from '../../rules/running-subscriptions.ts'
import type { World } from '../../world/world.ts'
import { noUpcoming, previewChange } from '../changes/preview-change.ts'
import { previewStart } from '../subscriptions/start.ts'
import {
  billingCycleAnchor,
  changedItem,
  discounts,
  discountWishes,
  itemChangesOf,
  prorationBehavior,
  trialEnd,
} from '../subscriptions/subscription-params.ts'

export const invoicePreviewParams = object({
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

/** The invoice that comes next: of a change, of a subscription to come, or of what runs. Nothing is kept. */
export function previewInvoice(world: World, params: z.infer<typeof invoicePreviewParams>): InvoiceRecord {
  const { subscription, customer, subscription_details: details = {} } = params
  if (params.preview_mode === 'recurring') {
    throw invalid('This stand-in has no `recurring` preview.', { param: 'preview_mode' })
  }
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
    const { trial_end: trialEnd } = details
    return previewStart(world, { customerId: customer, items, discounts: wishes ?? [], trialEnd })
  }
  const [running] = runningSubscriptions(world, customer)
  if (running) return previewChange(world, running.id)
  throw noUpcoming(customer)
}
