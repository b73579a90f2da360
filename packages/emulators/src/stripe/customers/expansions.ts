import { type Expansions, objectsOf } from '../http/expand.ts'
import { toWireCustomer } from '../wire/customer.ts'
import { toWirePaymentMethod } from '../wire/payment-method.ts'

/** What `expand` finds of customers and their cards. */
export const customerExpansions: Expansions = {
  objects: {
    cus_: objectsOf('customer', toWireCustomer),
    pm_: objectsOf('paymentMethod', toWirePaymentMethod),
  },
  included: {},
}
