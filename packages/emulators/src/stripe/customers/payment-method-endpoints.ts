import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { retrieve } from '../http/retrieve.ts'
import { listOf, pagination } from '../protocol/list.ts'
import { choice, object, text } from '../protocol/params.ts'
import { toWirePaymentMethod } from '../wire/payment-method.ts'
import { requireCustomer } from './customers.ts'
import { attachPaymentMethod, detachPaymentMethod } from './payment-methods.ts'

const path = '/payment_methods'

export const paymentMethodEndpoints: Endpoint[] = [
  endpoint(
    'GET',
    path,
    object({ ...pagination, customer: text, type: choice('card').optional() }),
    ({ world, params }) => {
      const customer = requireCustomer(world, params.customer, 'customer')
      const cards = world.of('paymentMethod').ofCustomer(customer.id)
      return listOf(cards, params, `/v1${path}`, (method) => toWirePaymentMethod(world, method))
    },
  ),
  retrieve(path, 'paymentMethod', toWirePaymentMethod),
  endpoint('POST', `${path}/:id/attach`, object({ customer: text }), ({ world, params, id }) =>
    toWirePaymentMethod(world, attachPaymentMethod(world, id, params.customer)),
  ),
  endpoint('POST', `${path}/:id/detach`, object({}), ({ world, id }) =>
    toWirePaymentMethod(world, detachPaymentMethod(world, id)),
  ),
]
