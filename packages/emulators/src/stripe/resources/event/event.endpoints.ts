import { isWithin, listing, listOf } from '../../protocol/list.ts'
import { object, text } from '../../protocol/params.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { retrieve } from '../retrieve.ts'
import { toWireEvent } from './event.ts'

const path = '/events'

export const eventEndpoints: Endpoint[] = [
  endpoint('GET', path, object({ ...listing, type: text.optional() }), ({ store, params }) => {
    const { type, created } = params
    const found = store
      .of('event')
      .list((event) => isWithin(created, event.created) && (type === undefined || event.type === type))
    return listOf(found, params, `/v1${path}`, toWireEvent)
  }),
  retrieve(path, 'event', (_world, event) => toWireEvent(event)),
]
