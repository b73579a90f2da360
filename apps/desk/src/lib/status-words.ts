import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { clockText, spanText } from './time/zoned-time.ts'

/** Returns the status of an edition in words: the first word, and the rest. */
export function statusWords(
  { status, publishAt, publishedAt, memos }: DeskEdition,
  { now, zone }: { now: Date; zone: string },
): [string, string] {
  const at = new Date(publishAt)
  switch (status) {
    case 'draft': {
      const ready = memos.filter((memo) => memo.ready).length
      const of = memos.length === 1 ? '1 memo' : `${memos.length} memos`
      return ['Draft', memos.length === 0 ? '' : `· ${ready} of ${of} ready`]
    }
    case 'scheduled':
      return [
        'Scheduled',
        `for ${clockText(at, zone)} · ${at > now ? `in ${spanText(at.getTime() - now.getTime())}` : 'going out now'}`,
      ]
    case 'held':
      return ['Held', `· ${spanText(now.getTime() - at.getTime())} late`]
    case 'published':
      return ['Published', `at ${clockText(new Date(publishedAt ?? publishAt), zone)}`]
  }
}
