import { resourceMissing } from '../protocol/errors.ts'
import type { Kind, Records } from '../store/records.ts'
import type { Store } from '../store/store.ts'

/**
 * A customer's records of a kind, or everybody's. A customer that never was is refused; one that was deleted is not.
 * What hangs on a test clock is only found by its customer.
 */
export function recordsOf<Name extends Kind>(
  store: Store,
  kind: Name,
  customerId: string | undefined,
  isWanted: (record: Records[Name]) => boolean,
): Records[Name][] {
  if (customerId === undefined) return store.of(kind).list((record) => !isOnClock(record) && isWanted(record))
  if (!store.of('customer').find(customerId)) throw resourceMissing('customer', customerId, 'customer')
  return store.of(kind).ofCustomer(customerId, isWanted)
}

function isOnClock(record: object) {
  return 'testClockId' in record && record.testClockId !== null
}
