import { emitChange } from '../events/emit-change.ts'
import { invalid } from '../protocol/errors.ts'
import { metadata, newMetadata } from '../protocol/metadata.ts'
import { choice, currency, decimal, integerBetween, object } from '../protocol/params.ts'
import type { Interval, PriceRecord } from '../records/catalogue.ts'
import type { Metadata } from '../records/common.ts'
import { toWirePrice } from '../wire/catalogue.ts'
import type { World } from '../world/world.ts'

export const interval = choice('day', 'week', 'month', 'year')

/** The parameters of a price that is made along with something else. */
export const priceShape = {
  currency,
  unit_amount: integerBetween(0).optional(),
  unit_amount_decimal: decimal.optional(),
  recurring: object({
    interval,
    interval_count: integerBetween(1, 1_095).optional(),
    usage_type: choice('licensed').optional(),
  }).optional(),
  tax_behavior: choice('unspecified').optional(),
  metadata: metadata.optional(),
}

type NewPrice = {
  productId: string
  currency: string
  unit_amount?: number | undefined
  unit_amount_decimal?: number | undefined
  recurring?: { interval: Interval; interval_count?: number | undefined } | undefined
  active?: boolean | undefined
  lookup_key?: string | undefined
  transfer_lookup_key?: boolean | undefined
  nickname?: string | undefined
  metadata?: Metadata | null | undefined
}

/** A new price, told of by `price.created`. Throws when its lookup key is another's and is not to be transferred. */
export function createPrice(world: World, given: NewPrice): PriceRecord {
  const unitAmount = given.unit_amount ?? given.unit_amount_decimal
  if (unitAmount === undefined) {
    const message =
      'You must specify either `unit_amount` or `unit_amount_decimal` when `billing_scheme=per_unit`.'
    throw invalid(message, { code: 'parameter_missing', param: 'unit_amount' })
  }
  if (!Number.isInteger(unitAmount)) {
    throw invalid('The stand-in knows whole minor units only.', { param: 'unit_amount_decimal' })
  }
  if (given.lookup_key !== undefined)
    takeLookupKey(world, given.lookup_key, given.transfer_lookup_key ?? false)
  const { recurring } = given
  const price = world.of('price').put({
    id: world.newId('price'),
    created: world.now(),
    metadata: newMetadata(given.metadata),
    productId: given.productId,
    active: given.active ?? true,
    currency: given.currency,
    unitAmount,
    recurring: recurring
      ? { interval: recurring.interval, intervalCount: recurring.interval_count ?? 1 }
      : null,
    lookupKey: given.lookup_key ?? null,
    nickname: given.nickname ?? null,
  })
  world.emit('price.created', toWirePrice(world, price))
  return price
}

/** Takes a lookup key from whoever has it, if that is wanted; else it is refused. */
export function takeLookupKey(
  world: World,
  lookupKey: string,
  isTransferred: boolean,
  newOwnerId?: string,
): void {
  const [owner] = world.of('price').list((price) => price.lookupKey === lookupKey && price.id !== newOwnerId)
  if (!owner) return
  if (!isTransferred) {
    const message = `A price (\`${owner.id}\`) already uses that lookup key.`
    throw invalid(message, { code: 'resource_already_exists', param: 'lookup_key' })
  }
  savePrice(world, owner, { ...owner, lookupKey: null })
}

/** A price in place of a former state of it, told of by `price.updated` when the wire shows a difference. */
export function savePrice(world: World, before: PriceRecord, after: PriceRecord): PriceRecord {
  const former = toWirePrice(world, before)
  const saved = world.of('price').put(after)
  emitChange(world, 'price.updated', former, toWirePrice(world, saved))
  return saved
}
