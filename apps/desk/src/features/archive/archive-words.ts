import type { DeskEditionSummary } from '@tidings/contracts/desk/editions'
import type { FoundMemo } from '@tidings/contracts/desk/memos'
import { type CalendarDate, parseEditionKey } from '@tidings/contracts/edition-key'
import { dayText } from '#lib/time/zoned-time.ts'
import type { Status } from './archive-calls.ts'

export const statusNames: Record<Status, string> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  published: 'Published',
  held: 'Held',
  withdrawn: 'Withdrawn',
}

/** Returns the state of a memo in words, with the mark of its edition. */
export function stateOf({
  editionStatus,
  editionWithdrawn,
  isPublic,
  changed,
  notedAt,
}: Pick<FoundMemo, 'editionStatus' | 'editionWithdrawn' | 'isPublic' | 'changed' | 'notedAt'>): {
  mark: Status
  text: string
} {
  if (editionWithdrawn === true) return { mark: 'withdrawn', text: statusNames.withdrawn }
  if (editionStatus !== 'published') return { mark: editionStatus, text: statusNames[editionStatus] }
  if (!isPublic) return { mark: 'draft', text: 'Not public yet' }
  if (changed.length > 0) return { mark: 'published', text: 'Published, with changes' }
  return { mark: 'published', text: notedAt === null ? 'Published' : 'Corrected' }
}

/** A piece of a text, and whether a search found it. */
export type MarkedPiece = { at: number; text: string; isFound: boolean }

/** Divides a text at the words of a search. */
export function markWords(text: string, words: string): MarkedPiece[] {
  const found = words.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '')
  if (found.length === 0) return [{ at: 0, text, isFound: false }]
  const longestFirst = found.toSorted((a, b) => b.length - a.length)
  const pieces = text.split(new RegExp(`(${longestFirst.join('|')})`, 'giu'))
  let at = 0
  return pieces.flatMap((piece, index) => {
    const start = at
    at += piece.length
    return piece === '' ? [] : [{ at: start, text: piece, isFound: index % 2 === 1 }]
  })
}

/** Returns `Fri, November 20`, with the year unless it is this one. */
export function shortDay(day: CalendarDate, thisYear: number): string {
  return dayText(day, { weekday: 'short', year: day.year === thisYear ? undefined : 'numeric' })
}

/** Returns the day and the slot of an edition; an unreadable key stands for itself. */
export function placeOf(key: string, thisYear: number): { day: string; slot: string } {
  const parsed = parseEditionKey(key)
  if (parsed === null) return { day: key, slot: '' }
  return { day: shortDay(parsed.date, thisYear), slot: parsed.slot }
}

/** A day with its editions. */
export type EditionDay = { date: string; editions: DeskEditionSummary[] }

/** Groups editions by their day, in the order of the list. */
export function groupByDay(editions: readonly DeskEditionSummary[]): EditionDay[] {
  return [...Map.groupBy(editions, ({ date }) => date)].map(([date, ofDay]) => ({ date, editions: ofDay }))
}
