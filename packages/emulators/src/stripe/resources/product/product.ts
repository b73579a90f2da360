import { isDeepStrictEqual } from 'node:util'
import { newMetadata } from '../../protocol/metadata.ts'
import type { Metadata } from '../../store/common.ts'
import { emitChange } from '../../store/emit-change.ts'
import { chosenId } from '../../store/own-id.ts'
import type { Store } from '../../store/store.ts'
import type { ProductRecord } from './catalogue.record.ts'
import { toWireProduct } from './catalogue.wire.ts'

type NewProduct = {
  id?: string | undefined
  name: string
  description?: string | null | undefined
  metadata?: Metadata | null | undefined
}

/** A new product, told of by `product.created`. Throws `resource_already_exists` when its id is taken. */
export function createProduct(store: Store, given: NewProduct): ProductRecord {
  const product = store.of('product').put({
    id: chosenId(store, 'product', { prefix: 'prod', wanted: given.id }),
    created: store.now(),
    updated: store.now(),
    metadata: newMetadata(given.metadata),
    name: given.name,
    description: given.description ?? null,
    active: true,
  })
  store.emit('product.created', toWireProduct(store, product))
  return product
}

/** A product in place of a former state of it, told of by `product.updated` when the wire shows a difference. */
export function saveProduct(store: Store, before: ProductRecord, after: ProductRecord): ProductRecord {
  const former = toWireProduct(store, before)
  if (isDeepStrictEqual(former, toWireProduct(store, after))) return before
  const saved = store.of('product').put({ ...after, updated: store.now() })
  emitChange(store, 'product.updated', former, toWireProduct(store, saved))
  return saved
}
