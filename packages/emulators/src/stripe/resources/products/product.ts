import { isDeepStrictEqual } from 'node:util'
import { type Endpoint, endpoint, retrieve } from '../../endpoints/endpoint.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import {
  boolean,
  changeMetadata,
  emptyable,
  given,
  type Metadata,
  metadata,
  newMetadata,
  object,
  text,
} from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import { type Common, chosenId, emitChange, type Store } from '../../store/store.ts'

type ProductRecord = Common & {
  name: string
  description: string | null
  active: boolean
  updated: number
}

declare module '../../store/store.ts' {
  interface Records {
    product: ProductRecord
  }
}

export function toWireProduct(_store: Store, product: ProductRecord): WireObject {
  return {
    id: product.id,
    object: 'product',
    active: product.active,
    created: product.created,
    default_price: null,
    description: product.description,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: product.metadata,
    name: product.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: product.updated,
    url: null,
  }
}

type NewProduct = {
  id?: string | undefined
  name: string
  description?: string | null | undefined
  metadata?: Metadata | null | undefined
}

/** Creates a product. Throws `resource_already_exists` for a taken id. */
function createProduct(store: Store, given: NewProduct): ProductRecord {
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

/** Stores a product and emits `product.updated` if the wire form changed. */
function saveProduct(store: Store, before: ProductRecord, after: ProductRecord): ProductRecord {
  const former = toWireProduct(store, before)
  if (isDeepStrictEqual(former, toWireProduct(store, after))) return before
  const saved = store.of('product').put({ ...after, updated: store.now() })
  emitChange(store, 'product.updated', former, toWireProduct(store, saved))
  return saved
}

const path = '/products'
const described = { description: emptyable(text).optional(), metadata: metadata.optional() }

export const productEndpoints: Endpoint[] = [
  endpoint('POST', path, object({ ...described, id: text.optional(), name: text }), ({ store, params }) =>
    toWireProduct(store, createProduct(store, params)),
  ),
  endpoint('GET', path, object({ ...pagination, active: boolean.optional() }), ({ store, params }) => {
    const { active } = params
    const found = store.of('product').list((product) => active === undefined || product.active === active)
    return listOf(found, params, `/v1${path}`, (product) => toWireProduct(store, product))
  }),
  retrieve(path, 'product', toWireProduct),
  endpoint(
    'POST',
    `${path}/:id`,
    object({ ...described, name: text.optional(), active: boolean.optional() }),
    ({ store, params, id }) => {
      const product = store.of('product').get(id)
      const saved = saveProduct(store, product, {
        ...product,
        name: params.name ?? product.name,
        active: params.active ?? product.active,
        description: given(params.description, product.description),
        metadata: changeMetadata(product.metadata, params.metadata),
      })
      return toWireProduct(store, saved)
    },
  ),
]
