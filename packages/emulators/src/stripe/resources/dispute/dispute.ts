import { listOf } from '../../protocol/list.ts'
import { object } from '../../protocol/params.ts'
import { aboutCharge, isAbout } from '../charge/about-charge.ts'
import { toWireDispute } from '../charge/charge.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { closeDispute } from '../refund/refund.ts'
import { retrieve } from '../retrieve.ts'

const path = '/disputes'

export const disputeEndpoints: Endpoint[] = [
  endpoint('GET', path, object(aboutCharge), ({ world, params }) =>
    listOf(world.of('dispute').list(isAbout(params)), params, `/v1${path}`, (dispute) =>
      toWireDispute(world, dispute),
    ),
  ),
  retrieve(path, 'dispute', toWireDispute),
  // Who closes a dispute through the API gives in.
  endpoint('POST', `${path}/:id/close`, object({}), ({ world, id }) =>
    toWireDispute(world, closeDispute(world, id, 'lost')),
  ),
]
