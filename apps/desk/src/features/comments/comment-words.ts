import type { CommentContext, DeskComment } from '@tidings/contracts/desk/comments'
import { parseEditionKey } from '@tidings/contracts/edition-key'
import { clockText, dayIn, dayText, spanText } from '#lib/time/zoned-time.ts'

const dayMs = 86_400_000

/** Returns the name of an author as readers see it. */
export function nameOf(name: string | null): string {
  return name ?? 'A member without a name'
}

/** Returns `freeheart88, member 2 days`. */
export function authorText({ name, since }: DeskComment['author'], now: Date): string {
  return `${nameOf(name)}, member ${memberSpan(now.getTime() - new Date(since).getTime())}`
}

function memberSpan(ms: number): string {
  const days = Math.floor(ms / dayMs)
  if (days < 1) return `for ${spanText(ms)}`
  if (days < 60) return days === 1 ? '1 day' : `${days} days`
  const months = Math.floor(days / 30.44)
  if (months < 24) return `${months} months`
  return `${Math.floor(days / 365.25)} years`
}

/** Returns the title of an article or the name of an edition: `3PM, Friday, November 20`. */
export function placeText({ article, edition, channelKey }: DeskComment): string {
  if (article !== null) return article.title
  if (edition === null) return channelKey
  const key = parseEditionKey(edition)
  return key === null ? edition : `${key.slot}, ${dayText(key.date)}`
}

/** Returns the address of the place on the site, or null if the site has no page for it. */
export function siteAddress({ article, edition }: DeskComment): string | null {
  if (article !== null) return `/#/viewgated/${article.id}`
  return edition === null ? null : `/#/edition/${edition}`
}

/** Returns `Reported twice: advertising, rude`, or an empty text without reports. */
export function reportText({ reports }: DeskComment): string {
  if (reports.length === 0) return ''
  const times = reports.length === 1 ? 'once' : reports.length === 2 ? 'twice' : `${reports.length} times`
  const reasons = [...new Set(reports.map(({ reason }) => reason.trim()))].filter((each) => each !== '')
  return reasons.length === 0 ? `Reported ${times}` : `Reported ${times}: ${reasons.join(', ')}`
}

/** Returns what is hidden of a comment, or an empty text. */
export function hiddenText({ hidden, authorHidden }: DeskComment): string {
  if (authorHidden) return 'Hidden with its author'
  return hidden ? 'Hidden' : ''
}

/** Returns the clock of a comment, with the day unless it is today. */
export function timeText(at: string, now: Date, timeZone: string): string {
  const instant = new Date(at)
  const [day, today] = [dayIn(instant, timeZone), dayIn(now, timeZone)]
  const clock = clockText(instant, timeZone)
  if (dayText(day) === dayText(today) && day.year === today.year) return clock
  const year = day.year === today.year ? undefined : 'numeric'
  return `${dayText(day, { weekday: undefined, year })}, ${clock}`
}

/** Returns `since November 18, 2026. 9 comments, 6 of them hidden.` for an author. */
export function recordText(
  { since, comments, hidden, plans }: CommentContext['author'],
  zone: string,
): string {
  const day = dayText(dayIn(new Date(since), zone), { weekday: undefined, year: 'numeric' })
  const count = comments === 1 ? '1 comment' : `${comments} comments`
  const plan = plans.length === 0 ? 'no plan' : plans.join(', ')
  return `${plan}, since ${day}. ${count}${hidden === 0 ? '' : `, ${hidden} of them hidden`}.`
}
