import type { Plan } from '@tidings/contracts/membership/plans'
import type { PlanDefinition } from '#platform/membership-apps/app-config.ts'

export type SalesTax = 'exclusive' | 'inclusive' | null

/** Returns a plan in wire format. `tax`: whether tax is added to prices or included in them; null for none. */
export function toWirePlan(
  { id, name, description, status, priority, prices }: PlanDefinition,
  tax: SalesTax,
): Plan {
  return {
    id,
    name,
    description,
    status,
    priority,
    isPaid: prices.length > 0,
    prices: prices.map(({ interval, ...price }) => ({
      ...price,
      interval: interval === null ? null : { type: interval, count: 1 },
      status: price.active ? 'ACTIVE' : 'INACTIVE',
      ...(tax !== null && { taxBehavior: tax }),
    })),
  }
}
