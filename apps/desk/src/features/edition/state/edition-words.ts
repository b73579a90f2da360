import type { DeskRole } from '@tidings/contracts/desk/desk'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { clockText, spanText } from '#lib/time/zoned-time.ts'

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

/** The rights of a person in an edition. */
export type Rights = { canWrite: boolean; canPublish: boolean; reason: string | null }

/** Returns what a person may do in an edition, and why not if they may write elsewhere. */
export function rightsIn(status: DeskEdition['status'], roles: readonly DeskRole[]): Rights {
  const canPublish = roles.some((role) => role === 'editor' || role === 'owner')
  const isWriter = canPublish || roles.includes('writer')
  const canWrite = canPublish || (isWriter && status !== 'scheduled')
  const reason =
    isWriter && !canWrite
      ? 'This edition is scheduled. Ask an editor to change it, or to take it back to draft.'
      : null
  return { canWrite, canPublish, reason }
}
