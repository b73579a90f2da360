import type { Plan } from '@tidings/contracts/plans'
import type { PlanDefinition } from '#platform/membership-apps/app-config.ts'

/** A plan in the wire's words. */
export function toWirePlan(plan: PlanDefinition): Plan {
  return {
    id: plan.id,
    name: plan.name,
    description: plan.description,
    status: plan.status,
    priority: plan.priority,
    isPaid: plan.prices.length > 0,
    prices: plan.prices.map(({ id, name, amount, currency, type, interval, active }) => ({
      id,
      name,
      amount,
      currency,
      type,
      interval: interval === null ? null : { type: interval, count: 1 },
      active,
      status: active ? 'ACTIVE' : 'INACTIVE',
    })),
  }
}
