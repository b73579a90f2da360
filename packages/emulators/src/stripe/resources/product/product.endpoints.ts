import { listOf, pagination } from '../../protocol/list.ts'
import { changeMetadata, metadata } from '../../protocol/metadata.ts'
import { boolean, emptyable, given, object, text } from '../../protocol/params.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { retrieve } from '../retrieve.ts'
import { toWireProduct } from './catalogue.wire.ts'
import { createProduct, saveProduct } from './product.ts'

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
