import type { z } from 'zod'
import { invalid } from '../../protocol/errors.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import {
  boolean,
  changeMetadata,
  choice,
  emptyable,
  given,
  list,
  metadata,
  object,
  text,
  url,
} from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import type { Common, Store } from '../../store/store.ts'
import { type Endpoint, endpoint, retrieve } from '../endpoint.ts'
import { prorationBehavior } from '../subscription/subscription.endpoints.ts'

export type PortalConfigurationRecord = Common & {
  active: boolean
  updated: number
  name: string | null
  defaultReturnUrl: string | null
  features: {
    invoiceHistory: boolean
    paymentMethodUpdate: boolean
    subscriptionCancel: boolean
    subscriptionUpdate: boolean
  }
  /** The plans that customers can switch between. */
  products: { productId: string; priceIds: string[] }[]
  /** The changes that wait for the period's end. */
  scheduleConditions: ('decreasing_item_amount' | 'shortening_interval')[]
}

declare module '../../store/store.ts' {
  interface Records {
    portalConfiguration: PortalConfigurationRecord
  }
}

/** `features.subscription_update.products` is not enumerable: only `expand` adds it. */
function toWirePortalConfiguration(configuration: PortalConfigurationRecord): WireObject {
  const { features, products, scheduleConditions } = configuration
  return {
    id: configuration.id,
    object: 'billing_portal.configuration',
    active: configuration.active,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created: configuration.created,
    default_return_url: configuration.defaultReturnUrl,
    features: {
      customer_update: { allowed_updates: [], enabled: false },
      invoice_history: { enabled: features.invoiceHistory },
      payment_method_update: { enabled: features.paymentMethodUpdate, payment_method_configuration: null },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: features.subscriptionCancel,
        mode: 'at_period_end',
        proration_behavior: 'none',
      },
      subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
      subscription_update: Object.defineProperty(
        {
          billing_cycle_anchor: null,
          default_allowed_updates: features.subscriptionUpdate ? ['price'] : [],
          enabled: features.subscriptionUpdate,
          proration_behavior: 'always_invoice',
          schedule_at_period_end: { conditions: scheduleConditions.map((type) => ({ type })) },
          trial_update_behavior: 'end_trial',
        },
        'products',
        {
          value: products.map(({ productId, priceIds }) => ({
            adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
            prices: priceIds,
            product: productId,
          })),
          enumerable: false,
        },
      ),
    },
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: configuration.metadata,
    name: configuration.name,
    updated: configuration.updated,
  }
}

const enabled = boolean.optional()

/** The portal invoices changes at once and cancels at the period's end. */
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

const configurationParams = object({
  active: boolean.optional(),
  default_return_url: emptyable(url).optional(),
  features: features.optional(),
  metadata: metadata.optional(),
  name: emptyable(text).optional(),
})

const listConfigurationsParams = object({ ...pagination, active: boolean.optional() })

type Params = z.infer<typeof configurationParams>

/** Creates a configuration. Throws for parameters that don't fit together. */
function createConfiguration(store: Store, params: Params): PortalConfigurationRecord {
  const now = store.now()
  const blank: PortalConfigurationRecord = {
    id: store.newId('bpc'),
    created: now,
    updated: now,
    metadata: {},
    active: true,
    name: null,
    defaultReturnUrl: null,
    features: {
      invoiceHistory: false,
      paymentMethodUpdate: false,
      subscriptionCancel: false,
      subscriptionUpdate: false,
    },
    products: [],
    scheduleConditions: [],
  }
  return store.of('portalConfiguration').put(changed(store, blank, params))
}

function updateConfiguration(store: Store, id: string, params: Params): PortalConfigurationRecord {
  const before = store.of('portalConfiguration').get(id, 'configuration')
  return store.of('portalConfiguration').put(changed(store, before, params))
}

const maxProducts = 10

function changed(
  store: Store,
  before: PortalConfigurationRecord,
  { features = {}, ...params }: Params,
): PortalConfigurationRecord {
  const { subscription_update: switching, subscription_cancel: cancel } = features
  const former = before.features
  const conditions = switching?.schedule_at_period_end?.conditions.map(({ type }) => type)
  const products = switching?.products?.map(({ product, prices }) => ({
    productId: product,
    priceIds: prices,
  }))
  const after = {
    ...before,
    updated: store.now(),
    active: params.active ?? before.active,
    name: given(params.name, before.name),
    defaultReturnUrl: given(params.default_return_url, before.defaultReturnUrl),
    metadata: changeMetadata(before.metadata, params.metadata),
    features: {
      invoiceHistory: features.invoice_history?.enabled ?? former.invoiceHistory,
      paymentMethodUpdate: features.payment_method_update?.enabled ?? former.paymentMethodUpdate,
      subscriptionCancel: cancel?.enabled ?? former.subscriptionCancel,
      subscriptionUpdate: switching?.enabled ?? former.subscriptionUpdate,
    },
    products: products ?? before.products,
    scheduleConditions: conditions ?? before.scheduleConditions,
  }
  if (after.features.subscriptionUpdate) requireSellable(store, after)
  return after
}

function requireSellable(store: Store, { products }: PortalConfigurationRecord) {
  const within = 'features[subscription_update][products]'
  if (products.length > maxProducts) {
    throw invalid(`Array ${within} exceeded maximum ${maxProducts} allowed elements.`, { param: within })
  }
  for (const [index, { productId, priceIds }] of products.entries()) {
    const param = `${within}[${index}][prices]`
    store.of('product').get(productId, `${within}[${index}][product]`)
    const prices = priceIds.map((id, at) => store.of('price').get(id, `${param}[${at}]`))
    const foreign = prices.find((price) => price.productId !== productId)
    if (foreign)
      throw invalid(`Price \`${foreign.id}\` does not belong to product \`${productId}\`.`, { param })
    const single = prices.find((price) => !price.recurring)
    if (single) throw invalid(`Price \`${single.id}\` is not recurring.`, { param })
    const intervals = prices.map(({ recurring }) => `${recurring?.intervalCount} ${recurring?.interval}`)
    if (new Set(intervals).size < intervals.length) {
      throw invalid(`Prices of product \`${productId}\` must have unique billing intervals.`, { param })
    }
  }
}

const path = '/billing_portal/configurations'

export const portalConfigurationEndpoints: Endpoint[] = [
  endpoint('POST', path, configurationParams, ({ store, params }) =>
    toWirePortalConfiguration(createConfiguration(store, params)),
  ),
  endpoint('GET', path, listConfigurationsParams, ({ store, params }) => {
    const { active } = params
    const found = store.of('portalConfiguration').list((one) => active === undefined || one.active === active)
    return listOf(found, params, `/v1${path}`, toWirePortalConfiguration)
  }),
  retrieve(path, 'portalConfiguration', (_store, one) => toWirePortalConfiguration(one)),
  endpoint('POST', `${path}/:id`, configurationParams, ({ store, params, id }) =>
    toWirePortalConfiguration(updateConfiguration(store, id, params)),
  ),
]
