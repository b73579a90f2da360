import { invalid } from '../../protocol/errors.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import { changeMetadata, metadata } from '../../protocol/metadata.ts'
import {
  boolean,
  choice,
  currency,
  emptyable,
  given,
  integerBetween,
  object,
  text,
} from '../../protocol/params.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { toWirePrice } from '../product/catalogue.wire.ts'
import { retrieve } from '../retrieve.ts'
import { createPrice, savePrice, takeLookupKey } from './price.ts'

const path = '/prices'
const taxBehavior = choice('unspecified', 'exclusive', 'inclusive').optional()

export const priceEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    path,
    object({
      currency,
      lookup_key: text.optional(),
      metadata: metadata.optional(),
      product: text,
      recurring: object({
        interval: choice('month', 'year'),
        interval_count: integerBetween(1, 36).optional(),
      }).optional(),
      tax_behavior: taxBehavior,
      transfer_lookup_key: boolean.optional(),
      unit_amount: integerBetween(0),
    }),
    ({ store, params }) => toWirePrice(store, createPrice(store, params)),
  ),
  endpoint(
    'GET',
    path,
    object({ ...pagination, active: boolean.optional(), product: text.optional() }),
    ({ store, params }) => {
      const { active, product } = params
      const found = store
        .of('price')
        .list(
          (price) =>
            (active === undefined || price.active === active) &&
            (product === undefined || price.productId === product),
        )
      return listOf(found, params, `/v1${path}`, (price) => toWirePrice(store, price))
    },
  ),
  retrieve(path, 'price', toWirePrice),
  endpoint(
    'POST',
    `${path}/:id`,
    object({
      active: boolean.optional(),
      lookup_key: emptyable(text).optional(),
      metadata: metadata.optional(),
      tax_behavior: taxBehavior,
      transfer_lookup_key: boolean.optional(),
    }),
    ({ store, params, id }) => {
      const price = store.of('price').get(id)
      const { active, lookup_key: lookupKey, tax_behavior: behavior = price.taxBehavior } = params
      if (price.taxBehavior !== 'unspecified' && behavior !== price.taxBehavior) {
        throw invalid('The tax behavior of a price cannot be changed once it is set.', {
          param: 'tax_behavior',
        })
      }
      if (lookupKey) takeLookupKey(store, lookupKey, params.transfer_lookup_key ?? false, id)
      const saved = savePrice(store, price, {
        ...price,
        active: active ?? price.active,
        lookupKey: given(lookupKey, price.lookupKey),
        taxBehavior: behavior,
        metadata: changeMetadata(price.metadata, params.metadata),
      })
      return toWirePrice(store, saved)
    },
  ),
]
