import type { DeskEdition } from '@tidings/contracts/desk/editions'
import type { DeskMemo } from '@tidings/contracts/desk/memos'
import { ApiError } from '#lib/api/call.ts'
import { spanText } from '#lib/time/zoned-time.ts'

const minuteMs = 60_000

/** Returns the edition as it is now, if a change was refused because it is another than the one that was seen. */
export function currentOf(error: Error | null): DeskEdition | null {
  if (!(error instanceof ApiError) || error.code !== 'version-conflict') return null
  const { body } = error
  if (typeof body !== 'object' || body === null || !('error' in body)) return null
  const details = body.error
  if (typeof details !== 'object' || details === null || !('current' in details)) return null
  return isEdition(details.current) ? details.current : null
}

// The server builds it from the contract, which its own tests check.
function isEdition(value: unknown): value is DeskEdition {
  return typeof value === 'object' && value !== null && 'memos' in value && 'version' in value
}

/** Says who changed an edition since it was seen, and what. */
export function describeChange(
  seen: DeskEdition,
  current: DeskEdition,
  now: Date,
): { text: string; changes: string[] } {
  const before = new Map(seen.memos.map((memo) => [memo.id, memo]))
  const changed = current.memos.filter((memo) => before.get(memo.id)?.version !== memo.version)
  const removed = seen.memos.filter((memo) => !current.memos.some(({ id }) => id === memo.id))
  const last = changed.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0]
  const name = last?.savedBy || 'Someone'
  const changes = [
    ...(current.status === seen.status ? [] : [`It is ${current.status} now.`]),
    ...changed.map((memo) => changeText(memo, before.has(memo.id))),
    ...removed.map((memo) => `Deleted: ${titleOf(memo)}`),
  ]
  const what =
    changed.length === 1 && removed.length === 0 && last !== undefined && before.has(last.id)
      ? `memo ${last.position}, ${agoText(last.updatedAt, now)}`
      : 'it'
  return { text: `${name} changed ${what}. Look again.`, changes }
}

function changeText(memo: DeskMemo, isKnown: boolean): string {
  return `${isKnown ? 'Changed' : 'New'}: ${titleOf(memo)}`
}

function titleOf({ title, position }: DeskMemo): string {
  return title === '' ? `memo ${position}` : `“${title}”`
}

function agoText(instant: string, now: Date): string {
  const ms = Math.max(0, now.getTime() - new Date(instant).getTime())
  return `${ms < minuteMs ? `${Math.round(ms / 1_000)} s` : spanText(ms)} ago`
}
