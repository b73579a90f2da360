import { listOf, pagination } from '../../protocol/list.ts'
import { choice, object, text } from '../../protocol/params.ts'
import { requireCustomer } from '../customer/customer.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { retrieve } from '../retrieve.ts'
import { attachPaymentMethod, detachPaymentMethod } from './payment-method.ts'
import { toWirePaymentMethod } from './payment-method.wire.ts'

const path = '/payment_methods'

export const paymentMethodEndpoints: Endpoint[] = [
  endpoint(
    'GET',
    path,
    object({ ...pagination, customer: text, type: choice('card').optional() }),
    ({ store, params }) => {
      const customer = requireCustomer(store, params.customer, 'customer')
      const cards = store.of('paymentMethod').ofCustomer(customer.id)
      return listOf(cards, params, `/v1${path}`, (method) => toWirePaymentMethod(store, method))
    },
  ),
  retrieve(path, 'paymentMethod', toWirePaymentMethod),
  endpoint('POST', `${path}/:id/attach`, object({ customer: text }), ({ store, params, id }) =>
    toWirePaymentMethod(store, attachPaymentMethod(store, id, params.customer)),
  ),
  endpoint('POST', `${path}/:id/detach`, object({}), ({ store, id }) =>
    toWirePaymentMethod(store, detachPaymentMethod(store, id)),
  ),
]
