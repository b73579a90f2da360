import { type CalendarDate, formatWireDate, parseEditionKey } from '@tidings/contracts/edition-key'
import { addDays, dayText } from './zoned-time.ts'

/** Returns `3PM`, `yesterday’s 8PM`, `tomorrow’s 10AM` or `8PM of November 3`; the year only if it is another. */
export function editionName(key: string, { today }: { today: CalendarDate }): string {
  const parsed = parseEditionKey(key)
  if (parsed === null) return key
  const { date, slot } = parsed
  const wire = formatWireDate(date)
  if (wire === formatWireDate(today)) return slot
  if (wire === formatWireDate(addDays(today, -1))) return `yesterday’s ${slot}`
  if (wire === formatWireDate(addDays(today, 1))) return `tomorrow’s ${slot}`
  const year = date.year === today.year ? undefined : 'numeric'
  return `${slot} of ${dayText(date, { weekday: undefined, year })}`
}
