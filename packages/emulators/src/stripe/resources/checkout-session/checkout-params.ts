import type { z } from 'zod'
import { pagination } from '../../protocol/list.ts'
import { metadata } from '../../protocol/metadata.ts'
import { boolean, choice, integerBetween, list, object, text, timestamp, url } from '../../protocol/params.ts'
import { discountChoice } from '../coupon/discount-wishes.ts'
import { oneItem } from '../subscription/subscription.params.ts'

const switchable = object({ enabled: boolean })

/** Parameters that have no effect here; responses repeat them. */
const echoed = {
  automatic_tax: switchable.optional(),
  billing_address_collection: choice('auto', 'required').optional(),
  tax_id_collection: switchable.optional(),
}

export const createParams = object({
  ...echoed,
  mode: choice('subscription'),
  ui_mode: choice('hosted_page').optional(),
  line_items: oneItem(object({ price: text, quantity: integerBetween(1, 999_999) })),
  success_url: url,
  cancel_url: url.optional(),
  customer: text,
  customer_update: object({
    address: choice('auto', 'never').optional(),
    name: choice('auto', 'never').optional(),
  }).optional(),
  client_reference_id: text.optional(),
  allow_promotion_codes: boolean.optional(),
  discounts: list(discountChoice).optional(),
  expires_at: timestamp.optional(),
  metadata: metadata.optional(),
  subscription_data: object({ metadata: metadata.optional() }).optional(),
})

export const listParams = object({
  ...pagination,
  customer: text.optional(),
  status: choice('open', 'complete', 'expired').optional(),
  subscription: text.optional(),
})

/** Returns those of the parameters that responses repeat as they were given. */
export function echoesOf(given: z.infer<typeof createParams>): Record<string, unknown> {
  const named = Object.entries(given).filter(([name, value]) => name in echoed && value !== undefined)
  return Object.fromEntries(named)
}
