import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { retrieve } from '../../http/retrieve.ts'
import { isWithin, listing, listOf } from '../../protocol/list.ts'
import { object, text } from '../../protocol/params.ts'
import type { ChargeRecord } from '../../records/payment.ts'
import { toWireCharge } from '../../wire/payment.ts'
import { recordsOf } from '../records-of.ts'

const path = '/charges'

export const chargeEndpoints: Endpoint[] = [
  endpoint(
    'GET',
    path,
    object({ ...listing, customer: text.optional(), payment_intent: text.optional() }),
    ({ world, params: { customer, created, payment_intent: intentId, ...page } }) => {
      const isWanted = (charge: ChargeRecord) =>
        (intentId === undefined || charge.paymentIntentId === intentId) && isWithin(created, charge.created)
      const found = recordsOf(world, 'charge', customer, isWanted)
      return listOf(found, page, `/v1${path}`, (charge) => toWireCharge(world, charge))
    },
  ),
  retrieve(path, 'charge', toWireCharge),
]
