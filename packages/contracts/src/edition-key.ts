/**
 * Edition keys and dates on the wire (years are 2000–2099).
 * Pure text and calendar arithmetic, without a clock or a time zone.
 */

/** One slot of a day: its label on the wire, and its local time of day in minutes after midnight. */
export type Slot = { label: string; minutes: number }

/** A calendar day without a time zone. `month` and `day` count from 1. */
export type CalendarDate = { year: number; month: number; day: number }

const wireDatePattern = /^(\d{2})-(\d{2})-(\d{2})$/

/** Returns whether the text has the form `MM-DD-YY`, even of an impossible day. */
export function looksLikeWireDate(text: string): boolean {
  return wireDatePattern.test(text)
}

/** Parses `MM-DD-YY`. Returns null when it is malformed or an impossible day. */
export function parseWireDate(text: string): CalendarDate | null {
  const match = wireDatePattern.exec(text)
  if (match === null) return null
  const [month, day, year] = [Number(match[1]), Number(match[2]), 2000 + Number(match[3])]
  return isCalendarDate({ year, month, day }) ? { year, month, day } : null
}

/** Formats a day as `MM-DD-YY`. */
export function formatWireDate({ year, month, day }: CalendarDate): string {
  return [month, day, year % 100].map((part) => String(part).padStart(2, '0')).join('-')
}

/** Formats a day as ISO `YYYY-MM-DD`. */
export function formatIsoDate({ year, month, day }: CalendarDate): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** Splits `MM-DD-YY-slot` into its date and slot. Returns null when it is malformed or an impossible day. */
export function parseEditionKey(key: string): { date: CalendarDate; slot: string } | null {
  const slot = key.slice(9)
  if (key[8] !== '-' || !/^[0-9A-Za-z]{1,12}$/.test(slot)) return null
  const date = parseWireDate(key.slice(0, 8))
  return date === null ? null : { date, slot }
}

/** Formats an edition's key: `11-20-26-10AM`. */
export function formatEditionKey(date: CalendarDate, slot: string): string {
  return `${formatWireDate(date)}-${slot}`
}

/** Sorts slot labels by time. Labels that are not configured come last, alphabetically. */
export function sortSlots(labels: readonly string[], slots: readonly Slot[]): string[] {
  const rank = (label: string) => slots.find((slot) => slot.label === label)?.minutes ?? Infinity
  return [...labels].sort((a, b) => {
    const [left, right] = [rank(a), rank(b)]
    return left === right ? a.localeCompare(b) : left - right
  })
}

function isCalendarDate({ year, month, day }: CalendarDate): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}
