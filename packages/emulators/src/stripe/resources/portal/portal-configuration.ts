import type { z } from 'zod'
import { type Endpoint, endpoint, retrieve } from '../../endpoints/endpoint.ts'
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

export type PortalConfigurationRecord = Common & {
  active: boolean
  updated: number
  name: string | null
  defaultReturnUrl: string | null
  features: {
    invoiceHistory: boolean
    paymentMethodUpdate: boolean
    subscriptionCancel: boolean
  }
}

declare module '../../store/store.ts' {
  interface Records {
    portalConfiguration: PortalConfigurationRecord
  }
}

/** The portal changes no plans. */
function toWirePortalConfiguration(configuration: PortalConfigurationRecord): WireObject {
  const { features } = configuration
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
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: [],
        enabled: false,
        proration_behavior: 'none',
        schedule_at_period_end: { conditions: [] },
        trial_update_behavior: 'end_trial',
      },
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

/** The portal cancels at the period's end. */
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
  subscription_update: object({ enabled: choice('false').optional() }).optional(),
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
    },
  }
  return store.of('portalConfiguration').put(changed(store, blank, params))
}

function updateConfiguration(store: Store, id: string, params: Params): PortalConfigurationRecord {
  const before = store.of('portalConfiguration').get(id, 'configuration')
  return store.of('portalConfiguration').put(changed(store, before, params))
}

function changed(
  store: Store,
  before: PortalConfigurationRecord,
  { features = {}, ...params }: Params,
): PortalConfigurationRecord {
  const former = before.features
  return {
    ...before,
    updated: store.now(),
    active: params.active ?? before.active,
    name: given(params.name, before.name),
    defaultReturnUrl: given(params.default_return_url, before.defaultReturnUrl),
    metadata: changeMetadata(before.metadata, params.metadata),
    features: {
      invoiceHistory: features.invoice_history?.enabled ?? former.invoiceHistory,
      paymentMethodUpdate: features.payment_method_update?.enabled ?? former.paymentMethodUpdate,
      subscriptionCancel: features.subscription_cancel?.enabled ?? former.subscriptionCancel,
    },
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
