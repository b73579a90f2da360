import type { z } from 'zod'
import { invalid, resourceMissing } from '../../protocol/errors.ts'
import { choice, integerBetween, object, text, url } from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import type { Store } from '../../store/store.ts'
import { requireCustomer } from '../customer/customer.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { oneItem } from '../subscription/subscription.endpoints.ts'
import { hasEnded } from '../subscription/subscription.ts'
import type { PortalConfigurationRecord } from './portal-configuration.ts'

/** A plan change to confirm, instead of the portal's home page. */
type PortalFlow = {
  subscriptionId: string
  itemId: string
  priceId: string
  quantity: number
  /** Null for the portal's home page. */
  returnUrl: string | null
}

export type PortalSessionRecord = {
  id: string
  created: number
  customerId: string
  configurationId: string
  returnUrl: string | null
  url: string
  flow: PortalFlow | null
}

declare module '../../store/store.ts' {
  interface Records {
    portalSession: PortalSessionRecord
  }
}

function toWirePortalSession(session: PortalSessionRecord): WireObject {
  return {
    id: session.id,
    object: 'billing_portal.session',
    after_expiration: null,
    configuration: session.configurationId,
    created: session.created,
    customer: session.customerId,
    customer_account: null,
    flow: session.flow && toWireFlow(session.flow),
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: session.returnUrl,
    url: session.url,
  }
}

function toWireFlow({ subscriptionId, itemId, priceId, quantity, returnUrl }: PortalFlow): WireObject {
  return {
    after_completion: {
      hosted_confirmation: null,
      redirect: returnUrl === null ? null : { return_url: returnUrl },
      type: returnUrl === null ? 'portal_homepage' : 'redirect',
    },
    customer_update: null,
    subscription_cancel: null,
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: {
      discounts: null,
      items: [{ id: itemId, price: priceId, quantity }],
      subscription: subscriptionId,
    },
    type: 'subscription_update_confirm',
  }
}

const hourSeconds = 3_600

/** Returns whether a session has not expired. */
export function isOpen(store: Store, { created }: PortalSessionRecord): boolean {
  return store.now() <= created + hourSeconds
}

/** Returns the path of a portal page. The id is secret. */
export function portalPath(id: string, rest = ''): string {
  return `/stripe/portal/${id}${rest}`
}

const createSessionParams = object({
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

type Params = z.infer<typeof createSessionParams>

/** Creates a portal session. Throws as Stripe does. */
function createPortalSession(store: Store, params: Params): PortalSessionRecord {
  const { id: customerId } = requireCustomer(store, params.customer, 'customer')
  const configuration = store.of('portalConfiguration').get(params.configuration, 'configuration')
  if (!configuration.active) {
    throw invalid(`The configuration \`${configuration.id}\` is inactive.`, { param: 'configuration' })
  }
  const { flow_data: flow } = params
  const id = store.newId('bps')
  return store.of('portalSession').put({
    id,
    created: store.now(),
    customerId,
    configurationId: configuration.id,
    returnUrl: params.return_url ?? configuration.defaultReturnUrl,
    url: `${store.pageOrigin()}${portalPath(id)}`,
    flow: flow ? flowOf(store, flow, customerId, configuration) : null,
  })
}

function flowOf(
  store: Store,
  { subscription_update_confirm: wanted, after_completion: after }: NonNullable<Params['flow_data']>,
  customerId: string,
  { id, features, products }: PortalConfigurationRecord,
): PortalFlow {
  const within = 'flow_data[subscription_update_confirm]'
  if (!features.subscriptionUpdate) {
    const message =
      'This session cannot be created because the subscription update feature in the portal configuration is disabled.'
    throw invalid(message, { param: 'flow_data[type]' })
  }
  const param = `${within}[subscription]`
  const subscription = store.of('subscription').get(wanted.subscription, param)
  if (subscription.customerId !== customerId) throw resourceMissing('subscription', subscription.id, param)
  if (hasEnded(subscription)) {
    throw invalid(`The subscription \`${subscription.id}\` has ended and cannot be changed.`, { param })
  }
  const { item } = subscription
  const [{ id: itemId, price: priceId, quantity = item.quantity }] = wanted.items
  if (itemId !== item.id) throw resourceMissing('subscription item', itemId, `${within}[items][0][id]`)
  if (priceId === item.priceId && quantity === item.quantity) {
    throw invalid('There is no change to confirm in this subscription update.', { param: within })
  }
  if (!products.some(({ priceIds }) => priceIds.includes(priceId))) {
    const message = `The item \`${itemId}\` cannot be updated to price \`${priceId}\` because the configuration \`${id}\` does not include the price in its \`features[subscription_update][products]\`.`
    throw invalid(message, { param: `${within}[items][0][price]` })
  }
  const returnUrl = after?.redirect.return_url ?? null
  return { subscriptionId: subscription.id, itemId, priceId, quantity, returnUrl }
}

export const portalSessionEndpoints: Endpoint[] = [
  endpoint('POST', '/billing_portal/sessions', createSessionParams, ({ store, params }) =>
    toWirePortalSession(createPortalSession(store, params)),
  ),
]
