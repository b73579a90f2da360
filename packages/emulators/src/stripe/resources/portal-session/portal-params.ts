import { pagination } from '../../protocol/list.ts'
import { metadata } from '../../protocol/metadata.ts'
import { boolean, choice, emptyable, integerBetween, list, object, text, url } from '../../protocol/params.ts'
import { oneItem, prorationBehavior } from '../subscription/subscription.params.ts'

const enabled = boolean.optional()

/** Changes in the portal are invoiced at once, and cancellations take effect at the period's end. */
const features = object({
  customer_update: object({
    enabled,
    allowed_updates: list(choice('address', 'name', 'tax_id')).optional(),
  }).optional(),
  invoice_history: object({ enabled }).optional(),
  payment_method_update: object({ enabled }).optional(),
  subscription_cancel: object({
    enabled,
    mode: choice('at_period_end').optional(),
    proration_behavior: choice('none').optional(),
  }).optional(),
  subscription_update: object({
    enabled,
    default_allowed_updates: emptyable(list(choice('price'))).optional(),
    proration_behavior: prorationBehavior.optional(),
    products: emptyable(list(object({ product: text, prices: list(text) }))).optional(),
    schedule_at_period_end: object({
      conditions: list(object({ type: choice('decreasing_item_amount', 'shortening_interval') })),
    }).optional(),
  }).optional(),
})

export const configurationParams = object({
  active: boolean.optional(),
  default_return_url: emptyable(url).optional(),
  features: features.optional(),
  metadata: metadata.optional(),
  name: emptyable(text).optional(),
})

export const listConfigurationsParams = object({ ...pagination, active: boolean.optional() })

export const createSessionParams = object({
  customer: text,
  configuration: text,
  return_url: url.optional(),
  flow_data: object({
    type: choice('subscription_update_confirm'),
    after_completion: object({
      type: choice('redirect'),
      redirect: object({ return_url: url }),
    }).optional(),
    subscription_update_confirm: object({
      subscription: text,
      items: oneItem(object({ id: text, price: text, quantity: integerBetween(1, 999_999).optional() })),
    }),
  }).optional(),
})
