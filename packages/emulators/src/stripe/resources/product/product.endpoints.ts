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
  endpoint('POST', path, object({ ...described, id: text.optional(), name: text }), ({ world, params }) =>
    toWireProduct(world, createProduct(world, params)),
  ),
  endpoint('GET', path, object({ ...pagination, active: boolean.optional() }), ({ world, params }) => {
    const { active } = params
    const found = world.of('product').list((product) => active === undefined || product.active === active)
    return listOf(found, params, `/v1${path}`, (product) => toWireProduct(world, product))
  }),
  retrieve(path, 'product', toWireProduct),
  endpoint(
    'POST',
    `${path}/:id`,
    object({ ...described, name: text.optional(), active: boolean.optional() }),
    ({ world, params, id }) => {
      const product = world.of('product').get(id)
      const saved = saveProduct(world, product, {
        ...product,
        name: params.name ?? product.name,
        active: params.active ?? product.active,
        description: given(params.description, product.description),
        metadata: changeMetadata(product.metadata, params.metadata),
      })
      return toWireProduct(world, saved)
    },
  ),
]
