import type { CalendarDate, Slot } from '@tidings/contracts/edition-key'
import { compareDates, zonedMoment } from '#lib/calendar.ts'

const hourWords = [
  'twelve',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
] as const

type Moment = { slots: readonly Slot[]; now: Date; timeZone: string }

/** Returns the line below an edition's last memo. The day's last edition says good night. */
export function endSentence(slot: string, slots: readonly Slot[]): string {
  const place = slots.findIndex(({ label }) => label === slot)
  const next = slots[place + 1]
  if (place === -1) return `That is the ${slot} edition.`
  if (next === undefined) return 'That is today. Good night.'
  return `That is the ${slot} edition. The next one arrives at ${next.label}.`
}

/** Returns the sentence for a day without editions: which one arrives next, in the site's time zone. */
export function emptyDaySentence(date: CalendarDate, { slots, now, timeZone }: Moment): string {
  const here = zonedMoment(now, timeZone)
  const order = compareDates(date, here.date)
  if (order < 0) return 'There was no edition on this day.'
  const next = slots.find(({ minutes }) => order > 0 || minutes > here.minutes)
  return next === undefined ? 'There is no edition today.' : arrivalSentence(next)
}

/** Returns the sentence for an edition that is not published yet, or never was. */
export function missingEditionSentence(
  edition: { date: CalendarDate; slot: string },
  moment: Moment,
): string {
  const here = zonedMoment(moment.now, moment.timeZone)
  const order = compareDates(edition.date, here.date)
  const slot = moment.slots.find(({ label }) => label === edition.slot)
  if (slot === undefined) return "This edition doesn't exist."
  const isUpcoming = order > 0 || (order === 0 && slot.minutes > here.minutes)
  return isUpcoming ? arrivalSentence(slot) : `There is no ${slot.label} edition on this day.`
}

function arrivalSentence({ label, minutes }: Slot): string {
  return `The ${label} edition arrives at ${timeInWords(minutes)}.`
}

function timeInWords(minutes: number): string {
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60]
  if (minute !== 0) return `${hour % 12 || 12}:${String(minute).padStart(2, '0')}`
  return hour === 0 ? 'midnight' : hour === 12 ? 'noon' : (hourWords[hour % 12] ?? String(hour))
}
