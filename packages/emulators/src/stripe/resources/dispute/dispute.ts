import { listOf } from '../../protocol/list.ts'
import { object } from '../../protocol/params.ts'
import { chargeFilters, matchesCharge } from '../charge/about-charge.ts'
import { toWireDispute } from '../charge/charge.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { closeDispute } from '../refund/refund.ts'
import { retrieve } from '../retrieve.ts'

const path = '/disputes'

export const disputeEndpoints: Endpoint[] = [
  endpoint('GET', path, object(chargeFilters), ({ store, params }) =>
    listOf(store.of('dispute').list(matchesCharge(params)), params, `/v1${path}`, (dispute) =>
      toWireDispute(store, dispute),
    ),
  ),
  retrieve(path, 'dispute', toWireDispute),
  // Who closes a dispute through the API gives in.
  endpoint('POST', `${path}/:id/close`, object({}), ({ store, id }) =>
    toWireDispute(store, closeDispute(store, id, 'lost')),
  ),
]
