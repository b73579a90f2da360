import type { z } from 'zod'
import { invalid } from '../../protocol/errors.ts'
import { changeMetadata } from '../../protocol/metadata.ts'
import { given } from '../../protocol/params.ts'
import type { Store } from '../../store/store.ts'
import type { PortalConfigurationRecord } from './portal.record.ts'
import type { configurationParams } from './portal-params.ts'

type Params = z.infer<typeof configurationParams>

/** Creates a configuration. Throws when its parts do not fit together, as Stripe does. */
export function createConfiguration(store: Store, params: Params): PortalConfigurationRecord {
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

/** Changes what the parameters name. */
export function updateConfiguration(store: Store, id: string, params: Params): PortalConfigurationRecord {
  const before = store.of('portalConfiguration').get(id, 'configuration')
  return store.of('portalConfiguration').put(changed(store, before, params))
}

/** Between so many products a portal lets customers switch. */
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
