import type { Plan } from '@tidings/contracts/membership/plans'
import type { PlanDefinition } from '#platform/membership-apps/app-config.ts'

export function toWirePlan({ id, name, description, status, priority, prices }: PlanDefinition): Plan {
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
    })),
  }
}
