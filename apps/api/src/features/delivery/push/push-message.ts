import { createHash } from 'node:crypto'
import type { Slot } from '@tidings/contracts/edition-key'
import type { PushMessage } from '@tidings/contracts/membership/push'
import {
  addDays,
  dateInZone,
  type EditionRow,
  idOf,
  keyOf,
  publishInstant,
} from '#features/editions/index.ts'
import type { MemoRow } from '#features/memos/index.ts'
import { dropCutWord } from '#platform/text/cut-text.ts'
import { oneLine } from '#platform/text/one-line.ts'

type Named = Pick<EditionRow, 'date' | 'slot'>

const dayMs = 86_400_000
/** A message has 4,096 bytes at most, and no screen shows more of a title. */
const maxTitleCharacters = 200
// RFC 8030, 5.4
const topicCharacters = 32

/** Returns the notification of an edition. Nothing in it is about the member. */
export function pushMessageOf(
  { edition, memos: [first] }: { edition: Named; memos: readonly Pick<MemoRow, 'title' | 'language'>[] },
  site: { name: string; language: string },
): PushMessage {
  const id = idOf(edition)
  const key = keyOf(id)
  const title = oneLine(first?.title ?? '')
  return {
    title: cut(title === '' ? site.name : title),
    body: `The ${id.slot} edition`,
    path: `/edition/${key}`,
    tag: key,
    lang: title === '' || first?.language === '' ? site.language : (first?.language ?? site.language),
  }
}

/** Returns the topic of an edition's messages: one that a browser doesn't have yet is replaced, not repeated. */
export function topicOf(edition: Named): string {
  return createHash('sha256')
    .update(keyOf(idOf(edition)))
    .digest('base64url')
    .slice(0, topicCharacters)
}

/** Returns when notifications of an edition expire: at the slot after its own, or after its sending if later. */
export function expiresAt(
  edition: Named,
  { sendAfter, slots, timeZone }: { sendAfter: Date; slots: readonly Slot[]; timeZone: string },
): Date {
  const { date, slot } = idOf(edition)
  const own = slots.find(({ label }) => label === slot)
  const ownTime = own === undefined ? sendAfter : publishInstant(date, own, timeZone)
  const since = ownTime > sendAfter ? ownTime : sendAfter
  const day = dateInZone(since, timeZone)
  const times = [day, addDays(day, 1)].flatMap((of) =>
    slots.map((each) => publishInstant(of, each, timeZone)),
  )
  return times.find((time) => time > since) ?? new Date(since.getTime() + dayMs)
}

function cut(title: string): string {
  if (title.length <= maxTitleCharacters) return title
  const whole = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(title)]
  const kept = whole.filter(({ index, segment }) => index + segment.length < maxTitleCharacters)
  return `${dropCutWord(kept.map(({ segment }) => segment).join(''))}…`
}
