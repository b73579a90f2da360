import type { DeskConfig } from '@tidings/contracts/desk/desk-config'
import { addDays, dayIn, instantAt } from '#lib/time/zoned-time.ts'

/** Returns when the next edition is due: `The next edition is due at 3PM.` */
export function nextEditionText(
  { slots, timeZone }: Pick<DeskConfig, 'slots' | 'timeZone'>,
  now: Date,
): string {
  const today = dayIn(now, timeZone)
  const next = slots.find(({ minutes }) => instantAt(today, minutes, timeZone) > now)
  if (next !== undefined) return `The next edition is due at ${next.label}.`
  const first = slots.find(({ minutes }) => instantAt(addDays(today, 1), minutes, timeZone) > now)
  return first === undefined ? '' : `The next edition is due tomorrow at ${first.label}.`
}
