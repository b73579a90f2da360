import { type Endpoint, endpoint, retrieve } from '../../endpoints/endpoint.ts'
import { invalid } from '../../protocol/errors.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import {
  boolean,
  changeMetadata,
  choice,
  currency,
  emptyable,
  given,
  integerBetween,
  type Metadata,
  metadata,
  newMetadata,
  object,
  text,
} from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import { type Common, emitChange, type Store } from '../../store/store.ts'

type Interval = 'month' | 'year'

export type PriceRecord = Common & {
  productId: string
  active: boolean
  currency: string
  unitAmount: number
  /** Null for a one-time price. */
  recurring: { interval: Interval; intervalCount: number } | null
  lookupKey: string | null
  taxBehavior: 'unspecified' | 'exclusive' | 'inclusive'
}

declare module '../../store/store.ts' {
  interface Records {
    price: PriceRecord
  }
}

export function toWirePrice(_store: Store, price: PriceRecord): WireObject {
  const { recurring } = price
  return {
    id: price.id,
    object: 'price',
    active: price.active,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: price.lookupKey,
    metadata: price.metadata,
    nickname: null,
    product: price.productId,
    recurring: recurring && {
      interval: recurring.interval,
      interval_count: recurring.intervalCount,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: price.taxBehavior,
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: price.unitAmount,
    unit_amount_decimal: String(price.unitAmount),
  }
}

/** Returns a product's name for invoices. */
export function productName(store: Store, { productId }: PriceRecord): string {
  return store.of('product').find(productId)?.name ?? productId
}

/** Returns a recurring price. Throws for an archived one unless it is among `kept`. */
export function requirePrice(
  store: Store,
  id: string,
  param: string,
  kept: readonly string[] = [],
): PriceRecord {
  const price = store.of('price').get(id, param)
  if (!price.active && !kept.includes(id)) {
    throw invalid('The price specified is inactive. This field only accepts active prices.', { param })
  }
  if (!price.recurring) {
    throw invalid(
      `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`.`,
      { param },
    )
  }
  return price
}

/** Throws for a price in another currency than the subscription's. */
export function requireSameCurrency(
  store: Store,
  { item }: { item: { priceId: string } },
  { currency }: PriceRecord,
  param: string,
): void {
  const expected = store.of('price').get(item.priceId).currency
  if (currency === expected) return
  throw invalid(
    `The price specified supports currencies of \`${currency}\`. This doesn't match the expected currency: \`${expected}\`.`,
    { param },
  )
}

export function recurringOf(store: Store, priceId: string): NonNullable<PriceRecord['recurring']> {
  return store.of('price').get(priceId).recurring ?? { interval: 'month', intervalCount: 1 }
}

export function isSameInterval(store: Store, priceId: string, otherId: string): boolean {
  const [one, other] = [recurringOf(store, priceId), recurringOf(store, otherId)]
  return one.interval === other.interval && one.intervalCount === other.intervalCount
}

type NewPrice = {
  product: string
  currency: string
  unit_amount: number
  recurring?: { interval: Interval; interval_count?: number | undefined } | undefined
  lookup_key?: string | undefined
  tax_behavior?: PriceRecord['taxBehavior'] | undefined
  transfer_lookup_key?: boolean | undefined
  metadata?: Metadata | null | undefined
}

/** Creates a price. Throws when its lookup key is taken and not transferred. */
function createPrice(store: Store, given: NewPrice): PriceRecord {
  const { lookup_key: lookupKey, recurring } = given
  const { id: productId } = store.of('product').get(given.product, 'product')
  if (lookupKey !== undefined) takeLookupKey(store, lookupKey, given.transfer_lookup_key ?? false)
  const price = store.of('price').put({
    id: store.newId('price'),
    created: store.now(),
    metadata: newMetadata(given.metadata),
    productId,
    active: true,
    currency: given.currency,
    unitAmount: given.unit_amount,
    recurring: recurring
      ? { interval: recurring.interval, intervalCount: recurring.interval_count ?? 1 }
      : null,
    lookupKey: lookupKey ?? null,
    taxBehavior: given.tax_behavior ?? 'unspecified',
  })
  store.emit('price.created', toWirePrice(store, price))
  return price
}

/** Transfers a lookup key from its current price, or throws. */
function takeLookupKey(store: Store, lookupKey: string, isTransferred: boolean, newOwnerId?: string): void {
  const [owner] = store.of('price').list((price) => price.lookupKey === lookupKey && price.id !== newOwnerId)
  if (!owner) return
  if (!isTransferred) {
    const message = `A price (\`${owner.id}\`) already uses that lookup key.`
    throw invalid(message, { code: 'resource_already_exists', param: 'lookup_key' })
  }
  savePrice(store, owner, { ...owner, lookupKey: null })
}

/** Stores a price and emits `price.updated` if the wire form changed. */
function savePrice(store: Store, before: PriceRecord, after: PriceRecord): PriceRecord {
  const former = toWirePrice(store, before)
  const saved = store.of('price').put(after)
  emitChange(store, 'price.updated', former, toWirePrice(store, saved))
  return saved
}

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
