import { invalid } from '../../protocol/errors.ts'
import { newMetadata } from '../../protocol/metadata.ts'
import type { Metadata } from '../../store/common.ts'
import { emitChange } from '../../store/emit-change.ts'
import type { Store } from '../../store/store.ts'
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
export function createPrice(store: Store, given: NewPrice): PriceRecord {
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

/** Takes a lookup key from whoever has it, if that is wanted; else it is refused. */
export function takeLookupKey(
  store: Store,
  lookupKey: string,
  isTransferred: boolean,
  newOwnerId?: string,
): void {
  const [owner] = store.of('price').list((price) => price.lookupKey === lookupKey && price.id !== newOwnerId)
  if (!owner) return
  if (!isTransferred) {
    const message = `A price (\`${owner.id}\`) already uses that lookup key.`
    throw invalid(message, { code: 'resource_already_exists', param: 'lookup_key' })
  }
  savePrice(store, owner, { ...owner, lookupKey: null })
}

/** A price in place of a former state of it, told of by `price.updated` when the wire shows a difference. */
export function savePrice(store: Store, before: PriceRecord, after: PriceRecord): PriceRecord {
  const former = toWirePrice(store, before)
  const saved = store.of('price').put(after)
  emitChange(store, 'price.updated', former, toWirePrice(store, saved))
  return saved
}
