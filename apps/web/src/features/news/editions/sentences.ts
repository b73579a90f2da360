import type { CalendarDate, Slot } from '@tidings/contracts/edition-key'
import {
  compareDates,
  formatClockTime,
  formatDay,
  nextDay,
  zonedInstant,
  zonedMoment,
} from '#lib/format/calendar.ts'

/** One slot of one day, in the site's time zone. */
export type Edition = { date: CalendarDate; slot: string }

/** The facts that every sentence with a time depends on. */
export type Moment = { now: Date; slots: readonly Slot[]; siteZone: string; readerZone: string }

/** The editions after the one that ends, as far as the page knows them. */
type Published = {
  /** Published slots of the edition's day, in order; null while unknown. */
  slots: readonly string[] | null
  /** The first published edition of a later day; null without one, undefined while unknown. */
  successor: Edition | null | undefined
  /** Whether both come from the server's latest reply. Only then can an edition be called late. */
  isCurrent: boolean
}

/** The sentences below an edition's last memo, and the link to the next edition once it is out. */
export type EndLine = { sentences: readonly string[]; next: { edition: Edition; text: string } | null }

const eveningMinutes = 17 * 60

/** Returns whether the line below an edition depends on editions of later days. */
export function dependsOnLaterDays({ date, slot }: Edition, slots: readonly string[] | null, moment: Moment) {
  return slotAfter(slot, slots) === undefined && isBefore(date, laterDate(clocksOf(moment)))
}

/** Returns the line below an edition's last memo. */
export function endLine(edition: Edition, published: Published, moment: Moment): EndLine {
  const { date, slot } = edition
  const { reader, site } = clocksOf(moment)
  const isOver = isBefore(date, reader.date) && isBefore(date, site.date)
  const name = `${isOver ? 'That was' : 'That is'} the ${slot} edition.`
  const later = slotAfter(slot, published.slots)
  if (later !== undefined) {
    const text = `The ${later} edition ${isOver ? 'comes next' : 'is here'}.`
    return { sentences: [name], next: { edition: { date, slot: later }, text } }
  }

  const place = moment.slots.findIndex(({ label }) => label === slot)
  const isLast = place === moment.slots.length - 1 || (isOver && published.slots !== null)
  const opening = isLast ? endOfDay(date, reader.date) : name
  const successor = isBefore(date, laterDate({ reader, site })) ? published.successor : null
  if (successor === undefined) return { sentences: [opening], next: null }
  if (successor !== null) {
    const verb = isBefore(successor.date, reader.date) ? 'comes next' : 'is here'
    return {
      sentences: [opening],
      next: { edition: successor, text: `${nameOf(successor, reader.date)} ${verb}.` },
    }
  }
  if (place === -1 && !isOver) return { sentences: [opening], next: null }

  const { late, next } = findNext(edition, moment)
  if (late !== undefined) {
    const sentence = `${nameOf(late, reader.date)} is late.`
    return { sentences: published.isCurrent ? [opening, sentence] : [opening], next: null }
  }
  const isEvening = isLast && compareDates(date, reader.date) === 0 && reader.minutes >= eveningMinutes
  if (isEvening) return { sentences: [opening, 'Good night.'], next: null }
  return { sentences: [opening, `The next one arrives ${arrival(next, moment, shortTime)}.`], next: null }
}

/** Returns the sentence for a site without any edition: which one arrives next. */
export function emptySiteSentence(moment: Moment): string {
  const { late, next } = findNext(null, moment)
  if (late !== undefined) return `${nameOf(late, clocksOf(moment).reader.date)} is late.`
  return `The ${next.slot} edition arrives ${arrival(next, moment, timeInWords)}.`
}

/** Returns the sentence for an edition that is not published yet, or never was. */
export function missingEditionSentence(edition: Edition, moment: Moment): string {
  const { reader, site } = clocksOf(moment)
  const due = dueTime(edition, moment)
  if (due === null) return 'This edition doesn’t exist.'
  if (due > moment.now) {
    return `The ${edition.slot} edition arrives ${arrival(edition, moment, timeInWords)}.`
  }
  const isLatestDue =
    compareDates(edition.date, site.date) === 0 && findNext(null, moment).late?.slot === edition.slot
  if (isLatestDue) return `${nameOf(edition, reader.date)} is late.`
  return compareDates(edition.date, reader.date) === 0
    ? `There is no ${edition.slot} edition today.`
    : `There was no ${edition.slot} edition on ${formatDay(edition.date, reader.date)}.`
}

/** Returns the line that offers a newer edition than the one of a day that is shown. */
export function newerEditionSentence(newer: Edition, shownDate: CalendarDate, today: CalendarDate): string {
  return `${nameOf(newer, compareDates(newer.date, shownDate) === 0 ? shownDate : today)} is here`
}

/** Returns the label of the latest slot whose time has passed on the site's day; null before the first. */
export function latestDueSlot(moment: Moment): string | null {
  return findNext(null, moment).late?.slot ?? null
}

/** Returns whether the first edition comes after the second; slots without a time come last. */
export function isLater(first: Edition, second: Edition, slots: readonly Slot[]): boolean {
  const rank = ({ slot }: Edition) => slots.find(({ label }) => label === slot)?.minutes ?? Infinity
  return (compareDates(first.date, second.date) || rank(first) - rank(second)) > 0
}

/** Returns the latest edition that is due after a given one on the site's day, and the next one that is not due yet. */
function findNext(after: Edition | null, moment: Moment): { late: Edition | undefined; next: Edition } {
  const { date: today } = clocksOf(moment).site
  const date = after !== null && isBefore(today, after.date) ? after.date : today
  const place =
    after !== null && compareDates(after.date, date) === 0
      ? moment.slots.findIndex(({ label }) => label === after.slot)
      : -1
  const rest = moment.slots.slice(place + 1).map(({ label }) => ({ date, slot: label }))
  const isDue = (edition: Edition) => (dueTime(edition, moment) ?? moment.now) <= moment.now
  const tomorrow = { date: nextDay(date), slot: moment.slots[0]?.label ?? '' }
  return { late: rest.findLast(isDue), next: rest.find((edition) => !isDue(edition)) ?? tomorrow }
}

function dueTime({ date, slot }: Edition, { slots, siteZone }: Moment): Date | null {
  const minutes = slots.find(({ label }) => label === slot)?.minutes
  return minutes === undefined ? null : zonedInstant(date, minutes, siteZone)
}

/** Formats when an edition arrives; with both clocks, 'at 10AM in Los Angeles, 3:00 AM tomorrow where you are'. */
function arrival(edition: Edition, moment: Moment, format: (minutes: number) => string): string {
  const due = dueTime(edition, moment) ?? moment.now
  const today = clocksOf(moment).reader.date
  const site = zonedMoment(due, moment.siteZone)
  const reader = zonedMoment(due, moment.readerZone)
  const day =
    compareDates(reader.date, today) === 0
      ? ''
      : compareDates(reader.date, nextDay(today)) === 0
        ? 'tomorrow '
        : `on ${formatDay(reader.date, today)} `
  if (reader.minutes === site.minutes && compareDates(reader.date, site.date) === 0) {
    return `${day}at ${format(site.minutes)}`
  }
  const place = moment.siteZone.replace(/^.*\//, '').replaceAll('_', ' ')
  return `at ${shortTime(site.minutes)} in ${place}, ${formatClockTime(reader.minutes)} ${day}where you are`
}

function endOfDay(date: CalendarDate, today: CalendarDate): string {
  const order = compareDates(date, today)
  if (order === 0) return 'That is today.'
  return `That ${order < 0 ? 'was' : 'is'} ${formatDay(date, today)}.`
}

function nameOf({ date, slot }: Edition, today: CalendarDate): string {
  const isToday = compareDates(date, today) === 0
  return isToday ? `The ${slot} edition` : `The ${slot} edition of ${formatDay(date, today)}`
}

function slotAfter(slot: string, slots: readonly string[] | null): string | undefined {
  const place = slots?.indexOf(slot) ?? -1
  return place === -1 ? undefined : slots?.[place + 1]
}

function clocksOf({ now, siteZone, readerZone }: Moment) {
  return { reader: zonedMoment(now, readerZone), site: zonedMoment(now, siteZone) }
}

function laterDate({ reader, site }: ReturnType<typeof clocksOf>): CalendarDate {
  return isBefore(reader.date, site.date) ? site.date : reader.date
}

function isBefore(first: CalendarDate, second: CalendarDate): boolean {
  return compareDates(first, second) < 0
}

/** Formats a time as slots are named: '10AM', '3:30PM'. */
function shortTime(minutes: number): string {
  const minute = minutes % 60 === 0 ? '' : `:${String(minutes % 60).padStart(2, '0')}`
  return `${Math.floor(minutes / 60) % 12 || 12}${minute}${minutes < 720 ? 'AM' : 'PM'}`
}

function timeInWords(minutes: number): string {
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60]
  if (minute !== 0) return formatClockTime(minutes)
  return hour === 0 ? 'midnight' : hour === 12 ? 'noon' : (hourWords[hour % 12] ?? String(hour))
}

const hourWords = 'twelve one two three four five six seven eight nine ten eleven'.split(' ')
