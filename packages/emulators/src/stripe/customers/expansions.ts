import { type Expansions, objectsOf } from '../http/expand.ts'
import { listWithin } from '../protocol/list.ts'
import { toWireCustomer } from '../wire/customer.ts'
import { toWirePaymentMethod } from '../wire/payment-method.ts'

/** What `expand` finds of customers and their cards. */
export const customerExpansions: Expansions = {
  objects: {
    cus_: objectsOf('customer', toWireCustomer),
    pm_: objectsOf('paymentMethod', toWirePaymentMethod),
  },
  included: {
    'customer.sources': (_world, { id }) => listWithin([], `/v1/customers/${id}/sources`),
    'customer.tax_ids': (_world, { id }) => listWithin([], `/v1/customers/${id}/tax_ids`),
  },
}
