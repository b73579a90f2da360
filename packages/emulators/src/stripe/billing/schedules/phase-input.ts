import { invalid } from '../../protocol/errors.ts'
import type { Metadata } from '../../records/common.ts'
import type { SchedulePhaseRecord } from '../../records/subscription.ts'
import { addInterval } from '../../rules/periods.ts'
import { recurringOf, requireOneCurrency, requireOneKind, requirePrice } from '../../rules/price-rules.ts'
import type { World } from '../../world/world.ts'
import type { ProrationBehaviour } from '../changes/planning.ts'

/** A phase as it is asked for. Without an end it lasts one interval of its first price. */
export type PhaseInput = {
  items: { priceId: string; quantity?: number | undefined }[]
  startDate?: number | 'now' | undefined
  endDate?: number | 'now' | undefined
  duration?: { interval: 'day' | 'week' | 'month' | 'year'; intervalCount: number } | undefined
  prorationBehavior?: ProrationBehaviour | undefined
  discounts?: SchedulePhaseRecord['discounts'] | undefined
  metadata?: Metadata | undefined
}

/**
 * The phases of a schedule from `start` on, each beginning where the one before it ends. Prices that are archived are
 * good if they are among the `kept`. Throws for what could not be billed when its time comes.
 */
export function phasesOf(
  world: World,
  inputs: PhaseInput[],
  { start, now, kept }: { start: number; now: number; kept: { priceId: string }[] },
): SchedulePhaseRecord[] {
  for (const [index, { items }] of inputs.entries()) requireItems(world, items, `phases[${index}]`, kept)
  requireOneCurrency(
    world,
    inputs.flatMap(({ items }) => items),
    'phases',
  )
  let from = start
  return inputs.map((input, index) => {
    const startDate = typeof input.startDate === 'number' ? input.startDate : from
    if (startDate !== from) {
      throw invalid('The start date of a phase must be the end date of the phase before it.', {
        param: `phases[${index}][start_date]`,
      })
    }
    const recurring = input.duration ?? recurringOf(world, input.items)
    const wanted = input.endDate === 'now' ? now : input.endDate
    const endDate = wanted ?? addInterval(startDate, recurring)
    if (endDate <= startDate) {
      throw invalid('The end date of a phase must be after its start date.', {
        param: `phases[${index}][end_date]`,
      })
    }
    from = endDate
    return {
      startDate,
      endDate,
      items: input.items.map(({ priceId, quantity }) => ({ priceId, quantity: quantity ?? 1 })),
      prorationBehavior: input.prorationBehavior ?? 'create_prorations',
      discounts: input.discounts ?? [],
      metadata: input.metadata ?? {},
    }
  })
}

function requireItems(world: World, items: PhaseInput['items'], param: string, kept: { priceId: string }[]) {
  for (const [index, { priceId }] of items.entries()) {
    requirePrice(world, priceId, `${param}[items][${index}][price]`, kept)
  }
  requireOneKind(world, items)
}
