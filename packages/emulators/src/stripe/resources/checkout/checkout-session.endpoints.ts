import type { z } from 'zod'
import { type Endpoint, endpoint } from '../../endpoints/endpoint.ts'
import { invalid } from '../../protocol/errors.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import {
  boolean,
  choice,
  integerBetween,
  list,
  metadata,
  newMetadata,
  object,
  text,
  timestamp,
  url,
} from '../../protocol/params.ts'
import type { Store } from '../../store/store.ts'
import { oneItem } from '../billing/subscription.endpoints.ts'
import { requireCustomer } from '../customers/customer.ts'
import { discountChoice, isRedeemable } from '../products/discount.ts'
import { type PriceRecord, requirePrice } from '../products/price.ts'
import {
  type CheckoutSessionRecord,
  checkoutPath,
  currentSession,
  expireSession,
  expireSessions,
  toWireCheckoutSession,
} from './checkout-session.ts'

const switchable = object({ enabled: boolean })

/** Parameters without an effect. Responses repeat them. */
const echoed = {
  automatic_tax: switchable.optional(),
  billing_address_collection: choice('auto', 'required').optional(),
  tax_id_collection: switchable.optional(),
}

const createParams = object({
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

const listParams = object({
  ...pagination,
  customer: text.optional(),
  status: choice('open', 'complete', 'expired').optional(),
  subscription: text.optional(),
})

function echoesOf(given: z.infer<typeof createParams>): Record<string, unknown> {
  const named = Object.entries(given).filter(([name, value]) => name in echoed && value !== undefined)
  return Object.fromEntries(named)
}

type Params = z.infer<typeof createParams>

const minute = 60
const day = 24 * 60 * minute

/** Creates an open session. Throws for parameters that don't fit together. */
function createSession(store: Store, params: Params): CheckoutSessionRecord {
  const [item] = params.line_items
  const price = requirePrice(store, item.price, 'line_items[0][price]')
  const { id: customerId } = requireCustomer(store, params.customer, 'customer')
  requireTaxable(params, price)
  const now = store.now()
  const id = store.newId('cs_test')
  return store.of('checkoutSession').put({
    id,
    created: now,
    metadata: newMetadata(params.metadata),
    status: 'open',
    paymentStatus: 'unpaid',
    customerId,
    clientReferenceId: params.client_reference_id ?? null,
    lineItem: { id: store.newId('li'), priceId: price.id, quantity: item.quantity },
    discount: discountOf(store, params, price),
    allowPromotionCodes: params.allow_promotion_codes ?? false,
    successUrl: params.success_url,
    cancelUrl: params.cancel_url ?? null,
    expiresAt: expiryOf(params, now),
    subscriptionId: null,
    invoiceId: null,
    currency: price.currency,
    automaticTax: params.automatic_tax?.enabled ?? false,
    subscriptionMetadata: newMetadata(params.subscription_data?.metadata),
    echoes: echoesOf(params),
    url: `${store.pageOrigin()}${checkoutPath(id)}`,
  })
}

/** Throws as Stripe does for an existing customer: tax needs an address, a tax id needs a name. */
function requireTaxable(params: Params, { taxBehavior }: PriceRecord) {
  const { address, name } = params.customer_update ?? {}
  if (params.automatic_tax?.enabled && (taxBehavior === 'unspecified' || address !== 'auto')) {
    throw invalid(
      'Automatic tax needs `tax_behavior` on the price and `customer_update[address]` set to `auto`.',
    )
  }
  if (params.tax_id_collection?.enabled && name !== 'auto') {
    throw invalid('Tax ID collection for an existing customer needs `customer_update[name]` set to `auto`.')
  }
}

function expiryOf({ expires_at: wanted }: Params, now: number): number {
  if (wanted === undefined) return now + day
  if (wanted >= now + 30 * minute && wanted <= now + day) return wanted
  const message =
    'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.'
  throw invalid(message, { param: 'expires_at' })
}

function discountOf(
  store: Store,
  { discounts = [], customer, allow_promotion_codes: allowsCodes, ...params }: Params,
  { currency, unitAmount }: PriceRecord,
): CheckoutSessionRecord['discount'] {
  const [wanted, ...others] = discounts
  if (!wanted) return null
  if (others.length > 0) throw invalid('You may only specify one discount.', { param: 'discounts' })
  if (allowsCodes !== undefined) {
    const param = 'allow_promotion_codes'
    throw invalid(`You may only specify one of these parameters: ${param}, discounts.`, { param })
  }
  const { coupon, promotion_code: code } = wanted
  const amount = unitAmount * params.line_items[0].quantity
  if ((coupon === undefined) === (code === undefined)) {
    throw invalid('You must provide one of `coupon` or `promotion_code`.', { param: 'discounts[0]' })
  }
  const choice = { couponId: coupon ?? null, promotionCodeId: code ?? null }
  const param = code ? 'discounts[0][promotion_code]' : 'discounts[0][coupon]'
  if (code) store.of('promotionCode').get(code, param)
  else store.of('coupon').get(coupon ?? '', param)
  if (isRedeemable(store, choice, { customerId: customer, currency, amount })) return choice
  throw code
    ? invalid('This promotion code cannot be redeemed.', { code: 'promotion_code_invalid', param })
    : invalid(`Coupon ${coupon} is expired and cannot be applied.`, { code: 'coupon_expired', param })
}

const path = '/checkout/sessions'

export const checkoutEndpoints: Endpoint[] = [
  endpoint('POST', path, createParams, ({ store, params }) =>
    toWireCheckoutSession(store, createSession(store, params)),
  ),
  endpoint('GET', path, listParams, ({ store, params }) => {
    expireSessions(store)
    const { customer, subscription, status } = params
    const found = store
      .of('checkoutSession')
      .list(
        (session) =>
          (customer === undefined || session.customerId === customer) &&
          (subscription === undefined || session.subscriptionId === subscription) &&
          (status === undefined || session.status === status),
      )
    return listOf(found, params, `/v1${path}`, (session) => toWireCheckoutSession(store, session))
  }),
  endpoint('GET', `${path}/:id`, object({}), ({ store, id }) =>
    toWireCheckoutSession(store, currentSession(store, id)),
  ),
  endpoint('POST', `${path}/:id/expire`, object({}), ({ store, id }) => {
    const session = currentSession(store, id)
    if (session.status === 'open') return toWireCheckoutSession(store, expireSession(store, session))
    const message = `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`
    throw invalid(message)
  }),
]
