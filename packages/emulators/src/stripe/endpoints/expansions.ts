import type { WireObject } from '../protocol/wire-object.ts'
import type { Kind, Records, Store } from '../store/store.ts'

export type Expansions = {
  /** Objects by id prefix (`cus_`), or by the field that holds the id where ids have no prefix (`coupon`). */
  objects: Record<string, (store: Store, id: string) => WireObject | undefined>
  /** Fields that only `expand` adds, by type and name: `invoice.payments`. */
  included: Record<string, (store: Store, object: WireObject) => unknown>
}

export function objectsOf<Name extends Kind>(
  kind: Name,
  toWire: (store: Store, record: Records[Name]) => WireObject,
): (store: Store, id: string) => WireObject | undefined {
  return (store, id) => {
    const record = store.of(kind).find(id)
    return record && toWire(store, record)
  }
}
