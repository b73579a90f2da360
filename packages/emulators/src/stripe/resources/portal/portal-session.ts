import type { z } from 'zod'
import { type Endpoint, endpoint } from '../../endpoints/endpoint.ts'
import { invalid } from '../../protocol/errors.ts'
import { object, text, url } from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import type { Store } from '../../store/store.ts'
import { requireCustomer } from '../customers/customer.ts'

export type PortalSessionRecord = {
  id: string
  created: number
  customerId: string
  configurationId: string
  returnUrl: string | null
  url: string
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
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: session.returnUrl,
    url: session.url,
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
})

type Params = z.infer<typeof createSessionParams>

/** Creates a portal session. Throws as Stripe does. */
function createPortalSession(store: Store, params: Params): PortalSessionRecord {
  const { id: customerId } = requireCustomer(store, params.customer, 'customer')
  const configuration = store.of('portalConfiguration').get(params.configuration, 'configuration')
  if (!configuration.active) {
    throw invalid(`The configuration \`${configuration.id}\` is inactive.`, { param: 'configuration' })
  }
  const id = store.newId('bps')
  return store.of('portalSession').put({
    id,
    created: store.now(),
    customerId,
    configurationId: configuration.id,
    returnUrl: params.return_url ?? configuration.defaultReturnUrl,
    url: `${store.pageOrigin()}${portalPath(id)}`,
  })
}

export const portalSessionEndpoints: Endpoint[] = [
  endpoint('POST', '/billing_portal/sessions', createSessionParams, ({ store, params }) =>
    toWirePortalSession(createPortalSession(store, params)),
  ),
]
