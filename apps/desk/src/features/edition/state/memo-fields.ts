import type { MemoText, WorkingCopy } from '@tidings/contracts/desk/memo-text'
import type { Stored } from '#lib/saving/text-fields.ts'

/** The fields of a memo that are written and saved at the desk. */
export type MemoFields = MemoText & { ready: boolean }

const fieldNames = [
  'title',
  'memo_content',
  'source',
  'media',
  'media_title',
  'media_alt',
  'media_focus',
  'media_text',
  'language',
  'ready',
] as const satisfies readonly (keyof MemoFields)[]

/** Returns the written fields of a working copy, and what a save is based on. */
export function storedMemo(copy: WorkingCopy): Stored<MemoFields> {
  const { title, memo_content, source, media, media_title, media_alt, media_focus, media_text, language } =
    copy
  const { ready, version, savedBy, savedAt } = copy
  const text = {
    title,
    memo_content,
    source,
    media,
    media_title,
    media_alt,
    media_focus,
    media_text,
    language,
    ready,
  }
  return { text, version, savedBy, savedAt }
}

/** Returns whether a body is a memo as the server returns it. */
export function isWorkingCopy(value: unknown): value is WorkingCopy {
  return (
    typeof value === 'object' && value !== null && [...fieldNames, 'version'].every((name) => name in value)
  )
}
