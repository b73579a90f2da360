import type { DraftState } from '#lib/saving/draft-state.ts'
import { spanText } from '#lib/time/zoned-time.ts'

/** Returns the saved state of a text in words. */
export function savedWords(
  { phase, conflict, keptAt, savedAt, message }: DraftState<object>,
  now: number,
): string {
  if (conflict !== null) return 'Not saved: two texts'
  switch (phase) {
    case 'saved':
      return `Saved ${agoText(now - savedAt)} ago`
    case 'saving':
      return 'Saving…'
    case 'refused':
      return `Not saved: ${message ?? ''}`
    case 'unreachable':
    case 'signed-out':
      return keptAt === null
        ? 'Not saved yet'
        : `Kept on this device ${agoText(now - keptAt)} ago, not saved yet`
  }
}

/** Returns `2 s` below a minute, and `3 min` above. */
export function agoText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  return seconds < 60 ? `${seconds} s` : spanText(ms)
}
