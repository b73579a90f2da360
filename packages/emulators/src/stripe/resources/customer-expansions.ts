import { type Expansions, objectsOf } from '../server/expand.ts'
import { toWireCustomer } from './customer/customer.wire.ts'
import { toWirePaymentMethod } from './payment-method/payment-method.wire.ts'

/** What `expand` finds of customers and their cards. */
export const customerExpansions: Expansions = {
  objects: {
    cus_: objectsOf('customer', toWireCustomer),
    pm_: objectsOf('paymentMethod', toWirePaymentMethod),
  },
  included: {},
}
