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
