import { invalid } from '../../protocol/errors.ts'
import { newMetadata } from '../../protocol/metadata.ts'
import type { Metadata } from '../../store/common.ts'
import { emitChange } from '../../store/emit-change.ts'
import type { World } from '../../store/store.ts'
import type { Interval, PriceRecord } from '../product/catalogue.record.ts'
import { toWirePrice } from '../product/catalogue.wire.ts'

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

/** Creates a price. Throws when another price has its lookup key and keeps it. */
export function createPrice(world: World, given: NewPrice): PriceRecord {
  const { lookup_key: lookupKey, recurring } = given
  const { id: productId } = world.of('product').get(given.product, 'product')
  if (lookupKey !== undefined) takeLookupKey(world, lookupKey, given.transfer_lookup_key ?? false)
  const price = world.of('price').put({
    id: world.newId('price'),
    created: world.now(),
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
