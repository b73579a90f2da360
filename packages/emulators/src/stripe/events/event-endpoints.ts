import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { retrieve } from '../http/retrieve.ts'
import { isWithin, listing, listOf } from '../protocol/list.ts'
import { object, text } from '../protocol/params.ts'
import { toWireEvent } from '../wire/event.ts'

const path = '/events'

export const eventEndpoints: Endpoint[] = [
  endpoint('GET', path, object({ ...listing, type: text.optional() }), ({ world, params }) => {
    const { type, created } = params
    const found = world
      .of('event')
      .list((event) => isWithin(created, event.created) && (type === undefined || event.type === type))
    return listOf(found, params, `/v1${path}`, toWireEvent)
  }),
  retrieve(path, 'event', (_world, event) => toWireEvent(event)),
]
