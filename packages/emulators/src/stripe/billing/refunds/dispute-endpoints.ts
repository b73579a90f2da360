import { type Endpoint, endpoint } from '../../endpoint.ts'
import { listOf } from '../../list.ts'
import { object } from '../../params.ts'
import { retrieve } from '../../retrieve.ts'
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
