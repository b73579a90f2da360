import type { z } from 'zod'
import { invalid, parameterMissing } from '../../protocol/errors.ts'
import { changeMetadata, newMetadata } from '../../protocol/metadata.ts'
import { given } from '../../protocol/params.ts'
import type { PortalConfigurationRecord } from '../../records/portal.ts'
import type { World } from '../../world/world.ts'
import type { createConfigurationParams, updateConfigurationParams } from './portal-params.ts'

type Features = PortalConfigurationRecord['features']
type CreateParams = z.infer<typeof createConfigurationParams>
type UpdateParams = z.infer<typeof updateConfigurationParams>
type FeatureParams = CreateParams['features']

/** A new configuration. Throws when its parts do not fit together, as Stripe does. */
export function createConfiguration(world: World, params: CreateParams): PortalConfigurationRecord {
  return world.of('portalConfiguration').put({
    ...blank(world),
    ...changedParts(world, blank(world), params),
    metadata: newMetadata(params.metadata),
  })
}

/** The configuration with what the parameters name changed. */
export function updateConfiguration(
  world: World,
  id: string,
  params: UpdateParams,
): PortalConfigurationRecord {
  const before = world.of('portalConfiguration').get(id, 'configuration')
  if (params.active === false && before.isDefault) {
    throw invalid('You cannot deactivate the default configuration.', { param: 'active' })
  }
  return world.of('portalConfiguration').put({
    ...before,
    ...changedParts(world, before, params),
    active: params.active ?? before.active,
    metadata: changeMetadata(before.metadata, params.metadata),
    updated: world.now(),
  })
}

/** The configuration of sessions that name none. It is there from the first use on, as if saved in the dashboard. */
export function defaultConfiguration(world: World): PortalConfigurationRecord {
  const [found] = world.of('portalConfiguration').list(({ isDefault }) => isDefault)
  return (
    found ??
    world.of('portalConfiguration').put({ ...blank(world), isDefault: true, features: allButSwitching })
  )
}

/** Between so many products a portal lets one switch. */
const mostProducts = 10

const off: Features = {
  customerUpdate: { enabled: false, allowedUpdates: [] },
  invoiceHistory: { enabled: false },
  paymentMethodUpdate: { enabled: false },
  subscriptionCancel: {
    enabled: false,
    mode: 'at_period_end',
    prorationBehavior: 'none',
    cancellationReason: {
      enabled: false,
      options: ['too_expensive', 'missing_features', 'switched_service', 'unused', 'other'],
    },
  },
  subscriptionUpdate: {
    enabled: false,
    defaultAllowedUpdates: [],
    prorationBehavior: 'none',
    products: [],
    scheduleAtPeriodEnd: { conditions: [] },
    trialUpdateBehavior: 'end_trial',
    billingCycleAnchor: null,
  },
}

const allButSwitching: Features = {
  ...off,
  customerUpdate: { enabled: true, allowedUpdates: ['email', 'name'] },
  invoiceHistory: { enabled: true },
  paymentMethodUpdate: { enabled: true },
  subscriptionCancel: { ...off.subscriptionCancel, enabled: true },
}

function blank(world: World): PortalConfigurationRecord {
  const now = world.now()
  return {
    id: world.newId('bpc'),
    created: now,
    updated: now,
    metadata: {},
    active: true,
    isDefault: false,
    name: null,
    defaultReturnUrl: null,
    businessProfile: { headline: null, privacyPolicyUrl: null, termsOfServiceUrl: null },
    features: off,
  }
}

function changedParts(world: World, before: PortalConfigurationRecord, params: UpdateParams) {
  const { business_profile: profile, default_return_url: returnUrl, name, features } = params
  return {
    name: given(name, before.name),
    defaultReturnUrl: given(returnUrl, before.defaultReturnUrl),
    businessProfile: {
      headline: given(profile?.headline, before.businessProfile.headline),
      privacyPolicyUrl: profile?.privacy_policy_url ?? before.businessProfile.privacyPolicyUrl,
      termsOfServiceUrl: profile?.terms_of_service_url ?? before.businessProfile.termsOfServiceUrl,
    },
    features: features ? changedFeatures(world, before.features, features) : before.features,
  }
}

function changedFeatures(world: World, before: Features, params: FeatureParams): Features {
  const { customer_update: customer, subscription_cancel: cancel } = params
  const reasons = cancel?.cancellation_reason
  const cancelling = {
    mode: cancel?.mode ?? before.subscriptionCancel.mode,
    prorationBehavior: cancel?.proration_behavior ?? before.subscriptionCancel.prorationBehavior,
  }
  refuseUncancellable(cancelling)
  return {
    customerUpdate: {
      enabled: customer?.enabled ?? before.customerUpdate.enabled,
      allowedUpdates: orEmpty(customer?.allowed_updates, before.customerUpdate.allowedUpdates),
    },
    invoiceHistory: { enabled: params.invoice_history?.enabled ?? before.invoiceHistory.enabled },
    paymentMethodUpdate: {
      enabled: params.payment_method_update?.enabled ?? before.paymentMethodUpdate.enabled,
    },
    subscriptionCancel: {
      enabled: cancel?.enabled ?? before.subscriptionCancel.enabled,
      ...cancelling,
      cancellationReason: {
        enabled: reasons?.enabled ?? before.subscriptionCancel.cancellationReason.enabled,
        options: orEmpty(reasons?.options, before.subscriptionCancel.cancellationReason.options),
      },
    },
    subscriptionUpdate: changedSwitching(world, before.subscriptionUpdate, params.subscription_update),
  }
}

/** Only what ends at once can give the rest back, and never by an invoice of its own. */
function refuseUncancellable({
  mode,
  prorationBehavior,
}: Pick<Features['subscriptionCancel'], 'mode' | 'prorationBehavior'>) {
  const isGood =
    prorationBehavior === 'none' || (prorationBehavior === 'create_prorations' && mode === 'immediately')
  if (isGood) return
  const param = 'features[subscription_cancel][proration_behavior]'
  throw invalid(`\`${prorationBehavior}\` cannot be used with mode \`${mode}\`.`, { param })
}

function changedSwitching(
  world: World,
  before: Features['subscriptionUpdate'],
  params: FeatureParams['subscription_update'],
): Features['subscriptionUpdate'] {
  const products = params?.products
  if ((products?.length ?? 0) > mostProducts) throw tooManyProducts()
  const conditions = params?.schedule_at_period_end?.conditions
  const switching = {
    enabled: params?.enabled ?? before.enabled,
    defaultAllowedUpdates: orEmpty(params?.default_allowed_updates, before.defaultAllowedUpdates),
    prorationBehavior: params?.proration_behavior ?? before.prorationBehavior,
    products: orEmpty(
      products?.map(({ product, prices }) => ({ productId: product, priceIds: prices })),
      before.products,
    ),
    scheduleAtPeriodEnd: {
      conditions: orEmpty(
        conditions?.map(({ type }) => type),
        before.scheduleAtPeriodEnd.conditions,
      ),
    },
    trialUpdateBehavior: params?.trial_update_behavior ?? before.trialUpdateBehavior,
    billingCycleAnchor: params?.billing_cycle_anchor ?? before.billingCycleAnchor,
  }
  if (switching.enabled) refuseUnsellable(world, switching)
  return switching
}

function tooManyProducts() {
  const param = 'features[subscription_update][products]'
  return invalid(`Array ${param} exceeded maximum ${mostProducts} allowed elements.`, { param })
}

function refuseUnsellable(world: World, { defaultAllowedUpdates, products }: Features['subscriptionUpdate']) {
  const within = 'features[subscription_update]'
  if (defaultAllowedUpdates.length === 0) throw parameterMissing(`${within}[default_allowed_updates]`)
  if (products.length === 0) throw parameterMissing(`${within}[products]`)
  for (const [index, { productId, priceIds }] of products.entries()) {
    const param = `${within}[products][${index}][prices]`
    world.of('product').get(productId, `${within}[products][${index}][product]`)
    const prices = priceIds.map((id, at) => world.of('price').get(id, `${param}[${at}]`))
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

/** A list that was given; null empties it, and without one it stays. */
function orEmpty<Value>(wanted: readonly Value[] | null | undefined, before: Value[]): Value[] {
  return [...(given(wanted, before) ?? [])]
}
