import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { retrieve } from '../http/retrieve.ts'
import { search, searchParams } from '../http/search.ts'
import { invalid } from '../protocol/errors.ts'
import { isWithin, listing, listOf } from '../protocol/list.ts'
import { changeMetadata, metadata } from '../protocol/metadata.ts'
import { boolean, emptyable, given, list, object, text, url } from '../protocol/params.ts'
import type { ProductRecord } from '../records/catalogue.ts'
import { toWireProduct } from '../wire/catalogue.ts'
import type { World } from '../world/world.ts'
import { createPrice, priceShape } from './prices.ts'
import { createProduct, requireProduct, saveProduct } from './products.ts'

/** What is only repeated by the answers. */
const echoed = {
  images: emptyable(list(url)).optional(),
  marketing_features: emptyable(list(object({ name: text }))).optional(),
  shippable: boolean.optional(),
  statement_descriptor: emptyable(text).optional(),
  tax_code: emptyable(text).optional(),
  unit_label: emptyable(text).optional(),
  url: emptyable(url).optional(),
}

type Echoed = { [Name in keyof typeof echoed]?: unknown }

function echoesOf(params: Echoed): Record<string, unknown> {
  const echoes = Object.keys(echoed).map((name) => [name, echoOf(params, name)] as const)
  return Object.fromEntries(echoes.filter(([, value]) => value !== undefined))
}

function echoOf(params: Record<string, unknown>, name: string) {
  const isList = name === 'images' || name === 'marketing_features'
  return isList && params[name] === null ? [] : params[name]
}

export const productEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    '/products',
    object({
      ...echoed,
      id: text.optional(),
      name: text,
      active: boolean.optional(),
      default_price_data: object(priceShape).optional(),
      description: emptyable(text).optional(),
      metadata: metadata.optional(),
    }),
    ({ world, params }) => {
      const { id, name, active, description, default_price_data: price } = params
      const product = createProduct(world, {
        id,
        name,
        active,
        description,
        metadata: params.metadata,
        echoes: echoesOf(params),
      })
      if (!price) return toWireProduct(world, product)
      const { id: defaultPriceId } = createPrice(world, { ...price, productId: product.id })
      return toWireProduct(world, world.of('product').put({ ...product, defaultPriceId }))
    },
  ),
  endpoint(
    'GET',
    '/products',
    object({
      ...listing,
      active: boolean.optional(),
      ids: list(text).optional(),
      shippable: boolean.optional(),
      url: url.optional(),
    }),
    ({ world, params }) => {
      const { active, created, ids } = params
      const found = world
        .of('product')
        .list(
          (product) =>
            !product.deleted &&
            (active === undefined || product.active === active) &&
            (ids === undefined || ids.includes(product.id)) &&
            (params.url === undefined || product.echoes.url === params.url) &&
            (params.shippable === undefined || product.echoes.shippable === params.shippable) &&
            isWithin(created, product.created),
        )
      return listOf(found, params, '/v1/products', (product) => toWireProduct(world, product))
    },
  ),
  endpoint('GET', '/products/search', object(searchParams), ({ world, params }) =>
    search(
      world.of('product').list(({ deleted }) => !deleted),
      params,
      {
        url: '/v1/products/search',
        look: ({ metadata: pairs, name, description, active }) => ({
          metadata: pairs,
          fields: { name, description, active: String(active) },
        }),
        toWire: (product) => toWireProduct(world, product),
      },
    ),
  ),
  retrieve('/products', 'product', toWireProduct),
  endpoint(
    'POST',
    '/products/:id',
    object({
      ...echoed,
      name: text.optional(),
      active: boolean.optional(),
      default_price: emptyable(text).optional(),
      description: emptyable(text).optional(),
      metadata: metadata.optional(),
    }),
    ({ world, params, id }) => {
      const product = requireProduct(world, id)
      const { name, active, description, default_price: defaultPriceId } = params
      if (defaultPriceId) requirePriceOf(world, product, defaultPriceId)
      const saved = saveProduct(world, product, {
        ...product,
        name: name ?? product.name,
        active: active ?? product.active,
        description: given(description, product.description),
        defaultPriceId: given(defaultPriceId, product.defaultPriceId),
        metadata: changeMetadata(product.metadata, params.metadata),
        echoes: { ...product.echoes, ...echoesOf(params) },
      })
      return toWireProduct(world, saved)
    },
  ),
  endpoint('DELETE', '/products/:id', object({}), ({ world, id }) => {
    const product = requireProduct(world, id)
    if (world.of('price').list(({ productId }) => productId === id).length > 0) {
      throw invalid('This product cannot be deleted because it has one or more user-created prices.')
    }
    world.of('product').put({ ...product, active: false, deleted: true })
    world.emit('product.deleted', toWireProduct(world, { ...product, active: false }))
    return { id, object: 'product', deleted: true }
  }),
]

function requirePriceOf(world: World, product: ProductRecord, priceId: string) {
  const price = world.of('price').get(priceId, 'default_price')
  if (price.productId === product.id) return
  const message = `The price specified is inactive or does not belong to the product: '${priceId}'.`
  throw invalid(message, { param: 'default_price' })
}
