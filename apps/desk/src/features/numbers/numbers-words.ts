import type { EditionNumbers, Statistics } from '@tidings/contracts/desk/statistics'
import { type CalendarDate, formatIsoDate, parseEditionKey } from '@tidings/contracts/edition-key'
import { counted } from '#lib/counted.ts'
import { dayText } from '#lib/time/zoned-time.ts'

/** Returns `8,190`. */
export function numberText(count: number): string {
  return count.toLocaleString('en')
}

/** Returns `Nov 20`. */
export function shortDate(iso: string): string {
  const [year = 0, month = 0, day = 0] = iso.split('-').map(Number)
  return dayText({ year, month, day }, { weekday: undefined, month: 'short' })
}

/** Returns the day and the name of an edition: `Nov 20, 10AM`. */
export function editionText(key: string, today: CalendarDate): string {
  const parsed = parseEditionKey(key)
  if (parsed === null) return key
  const iso = formatIsoDate(parsed.date)
  return `${iso === formatIsoDate(today) ? 'Today' : shortDate(iso)}, ${parsed.slot}`
}

/** A number with its sentence, at the head of the screen. */
export type Figure = { name: string; value: string; text: string }

/** Returns the four figures of a period. */
export function figuresOf({ days, editions }: Statistics): Figure[] {
  const methods = days.flatMap(({ delivered }) => delivered)
  const sent = sumOf(methods.map((each) => each.sent))
  const all = sent + sumOf(methods.map(({ failed }) => failed))
  const likes = sumOf(days.map((day) => day.likes))
  const published = editions.filter(({ state }) => state !== 'held')
  // Readers also like memos of earlier editions: the likes of a period aren't those of its editions.
  const ofEach = Math.round(sumOf(published.map((edition) => edition.likes)) / published.length)
  const opened = sumOf(days.flatMap(({ linksOpened }) => linksOpened.map(({ count }) => count)))
  return [
    {
      name: 'Deliveries',
      value: numberText(sent),
      text: all === 0 ? 'nothing was sent' : `${percentText(sent / all)} arrived, as far as servers said`,
    },
    membersFigure(days),
    {
      name: 'Likes',
      value: numberText(likes),
      text: published.length === 0 ? 'no edition' : `${numberText(ofEach)} for each edition`,
    },
    { name: 'Links opened', value: numberText(opened), text: 'where known: from emails and texts' },
  ]
}

function membersFigure(days: Statistics['days']): Figure {
  const known = days.flatMap(({ day, members }) => (members === null ? [] : [{ day, all: members.all }]))
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined)
    return { name: 'Members', value: '–', text: 'not counted on these days' }
  const joined = last.all - first.all
  const word =
    joined === 0 ? 'as many as' : `${numberText(Math.abs(joined))} ${joined > 0 ? 'more' : 'fewer'} than`
  const since = first === last ? 'counted now' : `${word} on ${shortDate(first.day)}`
  return { name: 'Members', value: numberText(last.all), text: since }
}

function percentText(part: number): string {
  // Rounded down: what failed never disappears.
  return `${(Math.floor(part * 1_000) / 10).toLocaleString('en')} %`
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** A bar of the chart of deliveries, and a row of its table. */
export type Bar = { key: string; day: string; label: string; sent: number; failed: number; note: string }

const mostBars = 130

/** Returns a bar for each edition; for each day if there are many. */
export function barsOf(editions: readonly EditionNumbers[], today: CalendarDate): Bar[] {
  const single = editions.map(({ edition, sent, failed, state }) => {
    const parsed = parseEditionKey(edition)
    const day = parsed === null ? '' : formatIsoDate(parsed.date)
    const note = state === 'stopped' || state === 'held' ? state : ''
    return { key: edition, day, label: editionText(edition, today), sent, failed, note }
  })
  if (single.length <= mostBars) return single
  return [...Map.groupBy(single, ({ day }) => day)].map(([day, ofDay]) => ({
    key: day,
    day,
    label: shortDate(day),
    sent: sumOf(ofDay.map(({ sent }) => sent)),
    failed: sumOf(ofDay.map(({ failed }) => failed)),
    note: ofDay.find(({ note }) => note !== '')?.note ?? '',
  }))
}

/** The members of a plan by day. */
export type PlanLine = {
  planId: string
  name: string
  points: { day: string; count: number }[]
  last: number
}

/** Returns the plans with most members, and their members by day. */
export function planLinesOf({ days, plans }: Statistics): PlanLine[] {
  const counts = days.flatMap(({ day, members }) =>
    members === null ? [] : [{ day, byPlan: members.byPlan }],
  )
  const ids = new Set(counts.flatMap(({ byPlan }) => byPlan.map(({ planId }) => planId)))
  const lines = [...ids].map((planId) => {
    const points = counts.map(({ day, byPlan }) => ({
      day,
      count: byPlan.find((each) => each.planId === planId)?.count ?? 0,
    }))
    const name = plans.find((each) => each.planId === planId)?.name ?? planId
    return { planId, name, points, last: points.at(-1)?.count ?? 0 }
  })
  return lines.toSorted((a, b) => b.last - a.last).slice(0, 6)
}

/** Returns the highest number of an axis and its steps, from 0. */
export function axisOf(most: number): number[] {
  const raw = Math.max(1, most) / 3
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = Math.max(
    1,
    [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((each) => each * power).find((each) => each >= raw) ?? raw,
  )
  const whole = Math.ceil(step)
  return [0, 1, 2, 3].map((each) => each * whole)
}

/** Returns the chart of deliveries in one sentence. */
export function chartText(bars: readonly Bar[]): string {
  const failed = sumOf(bars.map((bar) => bar.failed))
  return `${counted(sumOf(bars.map(({ sent }) => sent)), 'delivery', 'deliveries')} by edition, ${numberText(failed)} not delivered. The same numbers are in the table.`
}
