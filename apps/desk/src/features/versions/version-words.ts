import type { TextVersionSummary } from '@tidings/contracts/desk/writing/version-terms'
import { clockText, dayIn, dayText, spanText } from '#lib/time/zoned-time.ts'

type Zones = { site: string; own: string }

/** Returns `Nov 11, 3:00 PM` by the clock of the site, with the year unless it is this one. */
export function momentText(instant: Date, zone: string, now: Date): string {
  const day = dayIn(instant, zone)
  const year = day.year === dayIn(now, zone).year ? undefined : 'numeric'
  return `${dayText(day, { weekday: undefined, month: 'short', year })}, ${clockText(instant, zone)}`
}

/** Returns `6:00 PM here`, or nothing if the clock of the site shows the same. */
export function otherClock(instant: Date, { site, own }: Zones): string {
  const here = clockText(instant, own)
  return here === clockText(instant, site) ? '' : `${here} here`
}

/** Returns how a version came about, with the person. */
export function versionText({ kind, savedBy, startedAt, endedAt }: TextVersionSummary): string {
  const name = savedBy.split(' ')[0] ?? ''
  const by = (text: string) => (name === '' ? text : `${name} · ${text}`)
  switch (kind) {
    case 'first':
      return 'Before the first change'
    case 'session':
      return by(`${spanText(Date.parse(endedAt) - Date.parse(startedAt))} of writing`)
    case 'published':
      return by('published')
    case 'refused':
      return by('not chosen, there were two texts')
    case 'restored':
      return by('restored an earlier version')
    case 'deleted':
      return by('deleted')
  }
}

/** The names of the groups that may read articles, by key. */
export type GroupNames = ReadonlyMap<string, string>

/** Returns the value of a field as people read it. */
export function valueText(field: string, value: unknown, groups: GroupNames = new Map()): string {
  if (typeof value === 'string') return field === 'group' ? (groups.get(value) ?? value) : value
  if (field === 'group') return 'Every member'
  if (field === 'media_focus') return focusText(value)
  return ''
}

function focusText(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('x' in value) || !('y' in value)) return ''
  return `${percent(value.x)} from the left, ${percent(value.y)} from the top`
}

function percent(part: unknown): string {
  return `${Math.round(Number(part) * 100)} %`
}
