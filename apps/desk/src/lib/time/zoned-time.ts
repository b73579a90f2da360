import type { CalendarDate } from '@tidings/contracts/edition-key'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

type Parts = Record<'year' | 'month' | 'day' | 'hour' | 'minute', number>

/** Returns the calendar date of an instant in a time zone. */
export function dayIn(instant: Date, timeZone: string): CalendarDate {
  const { year, month, day } = partsIn(instant, timeZone)
  return { year, month, day }
}

/** Returns the instant at which a wall clock of the zone shows these minutes after midnight. */
export function instantAt({ year, month, day }: CalendarDate, minutes: number, timeZone: string): Date {
  const wall = Date.UTC(year, month - 1, day, 0, minutes)
  const first = wall - offsetOf(new Date(wall), timeZone)
  // The offset may change between the two.
  return new Date(wall - offsetOf(new Date(first), timeZone))
}

export function addDays({ year, month, day }: CalendarDate, count: number): CalendarDate {
  const moved = new Date(Date.UTC(year, month - 1, day) + count * dayMs)
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() }
}

/** Returns `3:00 PM`. */
export function clockText(instant: Date, timeZone: string): string {
  return formatOf({ timeZone, hour: 'numeric', minute: '2-digit' }).format(instant)
}

/** Returns `Friday, November 20`. */
export function dayText(
  { year, month, day }: CalendarDate,
  options: Intl.DateTimeFormatOptions = {},
): string {
  const date = new Date(Date.UTC(year, month - 1, day))
  const named = { weekday: 'long', month: 'long', day: 'numeric' } as const
  return formatOf({ timeZone: 'UTC', ...named, ...options }).format(date)
}

/** Returns both clocks, `3:00 PM in Los Angeles, 6:00 PM here`, or one if the zones agree at that time. */
export function twoClocks(instant: Date, siteZone: string, ownZone: string): string {
  const [site, own] = clocksAt(instant, siteZone, ownZone)
  return own === null ? site : `${site}, ${own}`
}

/** Returns the clock of the site and the own one, which is null if the zones agree at that time. */
export function clocksAt(instant: Date, siteZone: string, ownZone: string): [string, string | null] {
  const site = clockText(instant, siteZone)
  if (offsetOf(instant, siteZone) === offsetOf(instant, ownZone)) return [site, null]
  return [`${site} in ${placeOf(siteZone)}`, `${clockText(instant, ownZone)} here`]
}

/** Returns `1 h 10 min` for a time span. Less than a minute is `1 min`. */
export function spanText(ms: number): string {
  const minutes = Math.max(1, Math.round(Math.abs(ms) / minuteMs))
  const days = Math.floor(minutes / 1_440)
  if (days > 0) return days === 1 ? '1 day' : `${days} days`
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}

/** Returns `1 hour and 10 minutes` for a time span, as in a sentence. Less than a minute is `1 minute`. */
export function longSpanText(ms: number): string {
  return spanText(ms)
    .replace(/(\d+) h\b/, (_, hours: string) => (hours === '1' ? '1 hour' : `${hours} hours`))
    .replace(/(\d+) min\b/, (_, minutes: string) => (minutes === '1' ? '1 minute' : `${minutes} minutes`))
    .replace(/(hours?) (\d)/, '$1 and $2')
}

/** Returns the place in the name of a zone: `Los Angeles`. */
function placeOf(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a format. Making one takes longer than a key may. */
function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = JSON.stringify(options)
  const format = formats.get(name) ?? new Intl.DateTimeFormat('en', options)
  formats.set(name, format)
  return format
}

function offsetOf(instant: Date, timeZone: string): number {
  const { year, month, day, hour, minute } = partsIn(instant, timeZone)
  const wall = Date.UTC(year, month - 1, day, hour, minute)
  return wall - Math.floor(instant.getTime() / minuteMs) * minuteMs
}

function partsIn(instant: Date, timeZone: string): Parts {
  const format = formatOf({
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const found = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const of = (name: keyof Parts) => found.get(name) ?? 0
  return { year: of('year'), month: of('month'), day: of('day'), hour: of('hour'), minute: of('minute') }
}
