import type { z } from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { retrieve } from '../http/retrieve.ts'
import { search, searchParams } from '../http/search.ts'
import { invalid } from '../protocol/errors.ts'
import { isWithin, listing, listOf } from '../protocol/list.ts'
import { changeMetadata, metadata } from '../protocol/metadata.ts'
import { boolean, choice, currency, emptyable, given, list, object, text } from '../protocol/params.ts'
import { toWirePrice } from '../wire/catalogue.ts'
import type { World } from '../world/world.ts'
import { createPrice, interval, priceShape, savePrice, takeLookupKey } from './prices.ts'
import { createProduct } from './products.ts'

const productData = object({
  name: text,
  active: boolean.optional(),
  id: text.optional(),
  metadata: metadata.optional(),
  statement_descriptor: text.optional(),
  tax_code: text.optional(),
  unit_label: text.optional(),
})

type ProductChoice = { product?: string | undefined; product_data?: z.infer<typeof productData> | undefined }

function productIdOf(world: World, { product, product_data: data }: ProductChoice): string {
  if (product !== undefined && data !== undefined) {
    throw invalid('You may only specify one of these parameters: product, product_data.', {
      param: 'product',
    })
  }
  if (product !== undefined) return world.of('product').get(product, 'product').id
  if (data === undefined) {
    const message = 'You must specify either `product` or `product_data` when creating a price.'
    throw invalid(message, { code: 'parameter_missing', param: 'product' })
  }
  const { id, name, active, metadata: pairs, ...echoes } = data
  return createProduct(world, { id, name, active, metadata: pairs, echoes }).id
}

export const priceEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    '/prices',
    object({
      ...priceShape,
      active: boolean.optional(),
      billing_scheme: choice('per_unit').optional(),
      lookup_key: text.optional(),
      nickname: emptyable(text).optional(),
      product: text.optional(),
      product_data: productData.optional(),
      transfer_lookup_key: boolean.optional(),
    }),
    ({ world, params }) => {
      const { nickname, ...wanted } = params
      const price = createPrice(world, {
        ...wanted,
        productId: productIdOf(world, params),
        nickname: nickname ?? undefined,
      })
      return toWirePrice(world, price)
    },
  ),
  endpoint(
    'GET',
    '/prices',
    object({
      ...listing,
      active: boolean.optional(),
      currency: currency.optional(),
      lookup_keys: list(text).optional(),
      product: text.optional(),
      recurring: object({
        interval: interval.optional(),
        usage_type: choice('licensed', 'metered').optional(),
      }).optional(),
      type: choice('one_time', 'recurring').optional(),
    }),
    ({ world, params }) => {
      const { active, lookup_keys: lookupKeys, product, recurring, type } = params
      const found = world
        .of('price')
        .list(
          (price) =>
            (active === undefined || price.active === active) &&
            (params.currency === undefined || price.currency === params.currency) &&
            (lookupKeys === undefined || lookupKeys.includes(price.lookupKey ?? '')) &&
            (product === undefined || price.productId === product) &&
            (recurring?.interval === undefined || price.recurring?.interval === recurring.interval) &&
            (recurring?.usage_type === undefined || recurring.usage_type === 'licensed') &&
            (type === undefined || (type === 'recurring') === (price.recurring !== null)) &&
            isWithin(params.created, price.created),
        )
      return listOf(found, params, '/v1/prices', (price) => toWirePrice(world, price))
    },
  ),
  endpoint('GET', '/prices/search', object(searchParams), ({ world, params }) =>
    search(world.of('price').list(), params, {
      url: '/v1/prices/search',
      look: ({ metadata: pairs, active, lookupKey, productId, currency: code, recurring }) => ({
        metadata: pairs,
        fields: {
          active: String(active),
          lookup_key: lookupKey,
          product: productId,
          currency: code,
          type: recurring ? 'recurring' : 'one_time',
        },
      }),
      toWire: (price) => toWirePrice(world, price),
    }),
  ),
  retrieve('/prices', 'price', toWirePrice),
  endpoint(
    'POST',
    '/prices/:id',
    object({
      active: boolean.optional(),
      lookup_key: emptyable(text).optional(),
      metadata: metadata.optional(),
      nickname: emptyable(text).optional(),
      tax_behavior: choice('unspecified').optional(),
      transfer_lookup_key: boolean.optional(),
    }),
    ({ world, params, id }) => {
      const price = world.of('price').get(id)
      const { active, lookup_key: lookupKey, nickname } = params
      if (lookupKey) takeLookupKey(world, lookupKey, params.transfer_lookup_key ?? false, id)
      const saved = savePrice(world, price, {
        ...price,
        active: active ?? price.active,
        lookupKey: given(lookupKey, price.lookupKey),
        nickname: given(nickname, price.nickname),
        metadata: changeMetadata(price.metadata, params.metadata),
      })
      return toWirePrice(world, saved)
    },
  ),
]
