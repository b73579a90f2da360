import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { invalid } from '../../protocol/errors.ts'
import { isWithin, listOf, pagination } from '../../protocol/list.ts'
import { changeMetadata } from '../../protocol/metadata.ts'
import { object } from '../../protocol/params.ts'
import type { CheckoutSessionRecord } from '../../records/checkout-session.ts'
import { toWireCheckoutSession, toWireLineItems } from '../../wire/checkout-session.ts'
import type { World } from '../../world/world.ts'
import { currentSession, expireSession, expireSessions } from '../expire.ts'
import { createParams, listParams, updateParams } from './checkout-params.ts'
import { createSession } from './create-session.ts'

const path = '/checkout/sessions'

export const checkoutEndpoints: Endpoint[] = [
  endpoint('POST', path, createParams, ({ world, params }) =>
    toWireCheckoutSession(world, createSession(world, params)),
  ),
  endpoint('GET', path, listParams, ({ world, params }) => {
    expireSessions(world)
    const found = world.of('checkoutSession').list((session) => isWanted(world, session, params))
    return listOf(found, params, `/v1${path}`, (session) => toWireCheckoutSession(world, session))
  }),
  endpoint('GET', `${path}/:id`, object({}), ({ world, id }) =>
    toWireCheckoutSession(world, currentSession(world, id)),
  ),
  endpoint('POST', `${path}/:id`, updateParams, ({ world, params, id }) => {
    const session = currentSession(world, id)
    const metadata = changeMetadata(session.metadata, params.metadata)
    return toWireCheckoutSession(world, world.of('checkoutSession').put({ ...session, metadata }))
  }),
  endpoint('POST', `${path}/:id/expire`, object({}), ({ world, id }) => {
    const session = currentSession(world, id)
    if (session.status === 'open') return toWireCheckoutSession(world, expireSession(world, session))
    const message = `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`
    throw invalid(message)
  }),
  endpoint('GET', `${path}/:id/line_items`, object(pagination), ({ world, params, id }) => {
    const items = toWireLineItems(world, currentSession(world, id))
    return listOf(items, params, `/v1${path}/${id}/line_items`, (item) => item)
  }),
]

type Wanted = ReturnType<typeof listParams.parse>

function isWanted(world: World, session: CheckoutSessionRecord, wanted: Wanted) {
  const emails = wanted.customer_details && [
    session.customerDetails?.email ?? session.customerEmail,
    world.of('customer').find(session.customerId ?? '')?.email,
  ]
  const asked = [
    [wanted.customer, session.customerId],
    [wanted.subscription, session.subscriptionId],
    [wanted.payment_intent, session.paymentIntentId],
    [wanted.payment_link, null],
    [wanted.status, session.status],
  ]
  return (
    asked.every(([want, has]) => want === undefined || want === has) &&
    (!emails || emails.includes(wanted.customer_details?.email)) &&
    isWithin(wanted.created, session.created)
  )
}
