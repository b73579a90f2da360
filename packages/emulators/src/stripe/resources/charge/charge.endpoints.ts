import { isWithin, listing, listOf } from '../../protocol/list.ts'
import { object, text } from '../../protocol/params.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import type { ChargeRecord } from '../payment-intent/payment.record.ts'
import { recordsOf } from '../records-of.ts'
import { retrieve } from '../retrieve.ts'
import { toWireCharge } from './charge.ts'

const path = '/charges'

export const chargeEndpoints: Endpoint[] = [
  endpoint(
    'GET',
    path,
    object({ ...listing, customer: text.optional(), payment_intent: text.optional() }),
    ({ store, params: { customer, created, payment_intent: intentId, ...page } }) => {
      const isWanted = (charge: ChargeRecord) =>
        (intentId === undefined || charge.paymentIntentId === intentId) && isWithin(created, charge.created)
      const found = recordsOf(store, 'charge', customer, isWanted)
      return listOf(found, page, `/v1${path}`, (charge) => toWireCharge(store, charge))
    },
  ),
  retrieve(path, 'charge', toWireCharge),
]
