import { resourceMissing } from '../errors.ts'
import type { Kind, Records } from '../records.ts'
import type { World } from '../world.ts'

/** A customer's records of a kind. Lists of a customer that never was are refused; of one that was deleted they are not. */
export function ofCustomer<Name extends Kind>(
  world: World,
  kind: Name,
  customerId: string,
  isWanted: (record: Records[Name]) => boolean,
): Records[Name][] {
  if (!world.of('customer').find(customerId)) throw resourceMissing('customer', customerId, 'customer')
  return world.of(kind).ofCustomer(customerId, isWanted)
}
