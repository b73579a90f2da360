import { type Endpoint, endpoint } from './endpoint.ts'
import { object } from './params.ts'
import type { Kind, Records } from './records.ts'
import type { WireObject } from './wire.ts'
import type { World } from './world.ts'

/** `GET <path>/:id`: one object as it is now; what was deleted can be looked at. */
export function retrieve<Name extends Kind>(
  path: string,
  kind: Name,
  toWire: (world: World, record: Records[Name]) => WireObject,
): Endpoint {
  return endpoint('GET', `${path}/:id`, object({}), ({ world, id }) => toWire(world, world.of(kind).get(id)))
}
