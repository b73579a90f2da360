import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { retrieve } from '../../http/retrieve.ts'
import { listOf } from '../../protocol/list.ts'
import { object } from '../../protocol/params.ts'
import { toWireDispute } from '../../wire/payment.ts'
import { aboutCharge, isAbout } from './about-charge.ts'
import { closeDispute } from './refunds.ts'

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
