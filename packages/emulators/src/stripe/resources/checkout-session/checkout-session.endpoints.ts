import { invalid } from '../../protocol/errors.ts'
import { listOf } from '../../protocol/list.ts'
import { object } from '../../protocol/params.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { createParams, listParams } from './checkout-params.ts'
import { toWireCheckoutSession } from './checkout-session.ts'
import { createSession } from './create-session.ts'
import { currentSession, expireSession, expireSessions } from './expire.ts'

const path = '/checkout/sessions'

export const checkoutEndpoints: Endpoint[] = [
  endpoint('POST', path, createParams, ({ world, params }) =>
    toWireCheckoutSession(world, createSession(world, params)),
  ),
  endpoint('GET', path, listParams, ({ world, params }) => {
    expireSessions(world)
    const { customer, subscription, status } = params
    const found = world
      .of('checkoutSession')
      .list(
        (session) =>
          (customer === undefined || session.customerId === customer) &&
          (subscription === undefined || session.subscriptionId === subscription) &&
          (status === undefined || session.status === status),
      )
    return listOf(found, params, `/v1${path}`, (session) => toWireCheckoutSession(world, session))
  }),
  endpoint('GET', `${path}/:id`, object({}), ({ world, id }) =>
    toWireCheckoutSession(world, currentSession(world, id)),
  ),
  endpoint('POST', `${path}/:id/expire`, object({}), ({ world, id }) => {
    const session = currentSession(world, id)
    if (session.status === 'open') return toWireCheckoutSession(world, expireSession(world, session))
    const message = `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`
    throw invalid(message)
  }),
]
