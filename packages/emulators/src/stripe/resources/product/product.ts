import { isDeepStrictEqual } from 'node:util'
import { newMetadata } from '../../protocol/metadata.ts'
import type { Metadata } from '../../store/common.ts'
import { emitChange } from '../../store/emit-change.ts'
import { newId } from '../../store/own-id.ts'
import type { World } from '../../store/store.ts'
import type { ProductRecord } from './catalogue.record.ts'
import { toWireProduct } from './catalogue.wire.ts'

type NewProduct = {
  id?: string | undefined
  name: string
  description?: string | null | undefined
  metadata?: Metadata | null | undefined
}

/** A new product, told of by `product.created`. Throws `resource_already_exists` when its id is taken. */
export function createProduct(world: World, given: NewProduct): ProductRecord {
  const product = world.of('product').put({
    id: newId(world, 'product', { prefix: 'prod', wanted: given.id }),
    created: world.now(),
    updated: world.now(),
    metadata: newMetadata(given.metadata),
    name: given.name,
    description: given.description ?? null,
    active: true,
  })
  world.emit('product.created', toWireProduct(world, product))
  return product
}

/** A product in place of a former state of it, told of by `product.updated` when the wire shows a difference. */
export function saveProduct(world: World, before: ProductRecord, after: ProductRecord): ProductRecord {
  const former = toWireProduct(world, before)
  if (isDeepStrictEqual(former, toWireProduct(world, after))) return before
  const saved = world.of('product').put({ ...after, updated: world.now() })
  emitChange(world, 'product.updated', former, toWireProduct(world, saved))
  return saved
}
