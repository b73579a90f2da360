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
