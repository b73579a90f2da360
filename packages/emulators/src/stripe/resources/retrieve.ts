import { object } from '../protocol/params.ts'
import type { WireObject } from '../protocol/wire-object.ts'
import type { Kind, Records } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import { type Endpoint, endpoint } from './endpoint.ts'

/** `GET <path>/:id`: one object as it is now; what was deleted can be looked at. */
export function retrieve<Name extends Kind>(
  path: string,
  kind: Name,
  toWire: (store: Store, record: Records[Name]) => WireObject,
): Endpoint {
  return endpoint('GET', `${path}/:id`, object({}), ({ store, id }) => toWire(store, store.of(kind).get(id)))
}
