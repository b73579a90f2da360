import type { z } from 'zod'
import { isRedeemable, type Redemption } from '../../catalogue/coupons.ts'
import { invalid, parameterMissing, resourceMissing } from '../../protocol/errors.ts'
import { newMetadata } from '../../protocol/metadata.ts'
import type { PriceRecord } from '../../records/catalogue.ts'
import type { CheckoutSessionRecord } from '../../records/checkout-session.ts'
import { totalsOf } from '../../rules/checkout-totals.ts'
import type { World } from '../../world/world.ts'
import { checkoutPath } from '../checkout-path.ts'
import { type createParams, echoesOf } from './checkout-params.ts'

type Params = z.infer<typeof createParams>

const minute = 60
const day = 24 * 60 * minute

/** A new open session, with its page. Throws what Stripe throws when its parts do not fit together. */
export function createSession(world: World, params: Params): CheckoutSessionRecord {
  refuseContradictions(params)
  const { mode, subscription_data: subscription, payment_intent_data: payment } = params
  const prices = params.line_items.map((item, index) => boughtPrice(world, item.price, index))
  const [first] = prices
  if (!first) throw parameterMissing('line_items')
  refuseUnlikePrices(mode, prices)
  if (params.customer) requireCustomer(world, params.customer)
  const now = world.now()
  const id = world.newId('cs_test')
  const expiresAt = expiryOf(params, now)
  refuseEarlyTrialEnd(params, world)
  const session: CheckoutSessionRecord = {
    id,
    created: now,
    metadata: newMetadata(params.metadata),
    mode,
    status: 'open',
    paymentStatus: 'unpaid',
    customerId: params.customer ?? null,
    customerEmail: params.customer_email ?? null,
    clientReferenceId: params.client_reference_id ?? null,
    lineItems: params.line_items.map(({ price, quantity }) => ({
      id: world.newId('li'),
      priceId: price,
      quantity,
    })),
    discounts: discountsOf(world, params, {
      currency: first.currency,
      productIds: prices.map((price) => price.productId),
    }),
    allowPromotionCodes: params.allow_promotion_codes ?? false,
    successUrl: params.success_url,
    cancelUrl: params.cancel_url ?? null,
    expiresAt,
    subscriptionId: null,
    invoiceId: null,
    paymentIntentId: null,
    customerDetails: null,
    currency: first.currency,
    paymentMethodCollection: params.payment_method_collection ?? 'always',
    subscriptionData: {
      description: subscription?.description ?? null,
      metadata: newMetadata(subscription?.metadata),
      trialPeriodDays: subscription?.trial_period_days ?? null,
      trialEnd: subscription?.trial_end ?? null,
      trialEndBehaviour:
        subscription?.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    },
    paymentIntentData: {
      description: payment?.description ?? null,
      metadata: newMetadata(payment?.metadata),
    },
    echoes: echoesOf(params),
    locale: params.locale ?? null,
    url: `${world.pageOrigin()}${checkoutPath(id)}`,
  }
  refuseFreePayment(world, session)
  return world.of('checkoutSession').put(session)
}

function refuseContradictions(params: Params) {
  const { mode, subscription_data: subscription } = params
  if (mode === 'setup') throw invalid('This stand-in has no `setup` mode.', { param: 'mode' })
  if (params.ui_mode !== undefined && params.ui_mode !== 'hosted_page') {
    throw invalid('This stand-in has the `hosted_page` only.', { param: 'ui_mode' })
  }
  const both = (one: string, other: string) =>
    invalid(`You may only specify one of these parameters: ${one}, ${other}.`, { param: one })
  if (params.customer && params.customer_email) throw both('customer', 'customer_email')
  if (params.allow_promotion_codes !== undefined && params.discounts) {
    throw both('allow_promotion_codes', 'discounts')
  }
  if (subscription?.trial_end && subscription.trial_period_days) {
    throw both('subscription_data[trial_end]', 'subscription_data[trial_period_days]')
  }
  const misplaced =
    mode === 'payment'
      ? (['subscription_data', 'payment_method_collection'] as const)
      : (['payment_intent_data', 'customer_creation', 'submit_type'] as const)
  const wrong = misplaced.find((name) => params[name] !== undefined)
  if (wrong) throw invalid(`You can not pass \`${wrong}\` in \`${mode}\` mode.`, { param: wrong })
}

function boughtPrice(world: World, id: string, index: number): PriceRecord {
  const param = `line_items[${index}][price]`
  const price = world.of('price').get(id, param)
  if (price.active) return price
  throw invalid('The price specified is inactive. This field only accepts active prices.', { param })
}

function refuseUnlikePrices(mode: Params['mode'], prices: PriceRecord[]) {
  const recurring = prices.flatMap((price) => price.recurring ?? [])
  const param = 'line_items'
  if (mode === 'payment' && recurring.length > 0) {
    const message =
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.'
    throw invalid(message, { param })
  }
  if (mode === 'subscription' && recurring.length === 0) {
    const message = 'You must provide at least one recurring price in `subscription` mode when using prices.'
    throw invalid(message, { param })
  }
  const kinds = new Set(recurring.map(({ interval, intervalCount }) => `${intervalCount} ${interval}`))
  if (kinds.size > 1) {
    throw invalid('Checkout does not support multiple prices with different billing intervals.', { param })
  }
  if (new Set(prices.map((price) => price.currency)).size > 1) {
    throw invalid('All prices in a Checkout Session must have the same currency.', { param })
  }
}

function requireCustomer(world: World, id: string) {
  if (world.of('customer').get(id, 'customer').deleted) throw resourceMissing('customer', id, 'customer')
}

function expiryOf({ expires_at: wanted }: Params, now: number): number {
  if (wanted === undefined) return now + day
  if (wanted >= now + 30 * minute && wanted <= now + day) return wanted
  const message =
    'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.'
  throw invalid(message, { param: 'expires_at' })
}

function refuseEarlyTrialEnd({ customer, subscription_data: subscription }: Params, world: World) {
  const testClockId = customer ? world.of('customer').get(customer).testClockId : null
  const end = subscription?.trial_end
  if (end === undefined || end >= world.now(testClockId) + 2 * day) return
  throw invalid('The `trial_end` date has to be at least 2 days in the future.', {
    param: 'subscription_data[trial_end]',
  })
}

function discountsOf(
  world: World,
  { discounts = [], customer }: Params,
  wanted: Redemption,
): CheckoutSessionRecord['discounts'] {
  if (discounts.length > 1) throw invalid('You may only specify one discount.', { param: 'discounts' })
  return discounts.map(({ coupon, promotion_code: code }, index) => {
    const at = `discounts[${index}]`
    if (coupon && code) {
      throw invalid('You may only specify one of these parameters: coupon, promotion_code.', { param: at })
    }
    if (!coupon && !code) {
      throw invalid('You must provide one of `coupon` or `promotion_code`.', {
        code: 'parameter_missing',
        param: at,
      })
    }
    const choice = { couponId: coupon ?? null, promotionCodeId: code ?? null }
    const param = code ? `${at}[promotion_code]` : `${at}[coupon]`
    if (code) world.of('promotionCode').get(code, param)
    else world.of('coupon').get(coupon ?? '', param)
    if (isRedeemable(world, choice, { customerId: customer ?? null, ...wanted })) return choice
    throw code
      ? invalid('This promotion code cannot be redeemed.', { code: 'promotion_code_invalid', param })
      : invalid(`Coupon ${coupon} is expired and cannot be applied.`, { code: 'coupon_expired', param })
  })
}

function refuseFreePayment(world: World, session: CheckoutSessionRecord) {
  if (session.mode !== 'payment' || totalsOf(world, session).subtotal > 0) return
  throw invalid('The total amount due must be greater than zero.', { param: 'line_items' })
}
