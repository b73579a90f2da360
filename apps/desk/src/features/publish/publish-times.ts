import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { type CalendarDate, parseEditionKey, type Slot } from '@tidings/contracts/edition-key'
import { addDays, clockText, dayIn, instantAt } from '#lib/time/zoned-time.ts'

/** When an edition appears: at its slot's time, at another time of its day, or now. */
export type Choice = { when: 'slot' | 'other' | 'now'; time: string }

/** The times that limit the choice. */
export type Times = { day: CalendarDate; slot: Date; next: Date; zone: string }

type Site = { slots: readonly Slot[]; zone: string }

/** Returns the times of an edition: that of its slot, and of the next one. */
export function timesOf({ key, publishAt }: DeskEdition, { slots, zone }: Site): Times {
  const parsed = parseEditionKey(key)
  const day = parsed?.date ?? dayIn(new Date(publishAt), zone)
  const own = slots.find(({ label }) => label === parsed?.slot)
  const slot = own === undefined ? new Date(publishAt) : instantAt(day, own.minutes, zone)
  const later = [day, addDays(day, 1)]
    .flatMap((each) => slots.map(({ minutes }) => instantAt(each, minutes, zone)))
    .filter((time) => time > slot)
    .toSorted((a, b) => a.getTime() - b.getTime())
  return { day, slot, next: later[0] ?? instantAt(addDays(day, 1), 0, zone), zone }
}

/** Returns the choice that a dialog begins with. */
export function firstChoice({ status, publishAt }: DeskEdition, { slot, zone }: Times, now: Date): Choice {
  const planned = new Date(publishAt)
  const isMoved = status === 'scheduled' && planned.getTime() !== slot.getTime()
  const time = inputTime(isMoved ? planned : slot, zone)
  if (isMoved) return { when: 'other', time }
  return { when: status === 'held' || slot <= now ? 'now' : 'slot', time }
}

/** Returns the chosen instant; null for now, or for a time that isn't complete. */
export function instantOf({ when, time }: Choice, { day, slot, zone }: Times): Date | null {
  if (when === 'now') return null
  if (when === 'slot') return slot
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(time) ?? []
  return hours === undefined ? null : instantAt(day, Number(hours) * 60 + Number(minutes), zone)
}

/** Says why a choice is impossible; null if it isn't. */
export function refusalOf(choice: Choice, times: Times, now: Date): string | null {
  if (choice.when === 'now') return null
  const at = instantOf(choice, times)
  if (at === null) return 'Choose a time.'
  if (at <= now) return `${clockText(at, times.zone)} is past. Choose Now or a later time.`
  if (at < times.next) return null
  return `Choose a time before ${clockText(times.next, times.zone)}, when the next edition appears.`
}

/** Names what the button does. */
export function deedOf(choice: Choice, times: Times): string {
  const at = instantOf(choice, times)
  if (choice.when === 'now') return 'Publish now'
  return at === null ? 'Schedule' : `Schedule for ${clockText(at, times.zone)}`
}

/** Returns the last minute of the day before the next slot. */
export function lastMinuteOf({ day, next, zone }: Times): Date {
  const minute = 60_000
  const end = Math.min(next.getTime(), instantAt(addDays(day, 1), 0, zone).getTime())
  return new Date(end - minute)
}

/** Returns an instant as a field for times has it: `15:00`. */
export function inputTime(instant: Date, timeZone: string): string {
  const format = { timeZone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat('en', format).format(instant)
}

/** Returns whether an edition is sent without a choice of an editor, as the server decides. */
export function isSentByDefault(
  { deliver, status }: DeskEdition,
  { when }: Choice,
  { day, zone }: Times,
  now: Date,
): boolean {
  if (deliver !== null) return deliver
  if (when !== 'now' || status !== 'draft') return true
  const today = dayIn(now, zone)
  return [today, addDays(today, 1)].some((each) => isSameDay(each, day))
}

export function isSameDay(a: CalendarDate, b: CalendarDate): boolean {
  return a.year === b.year && a.month === b.month && a.day === b.day
}
