import type { MemoText, WorkingCopy } from '@tidings/contracts/desk/memo-text'
import { pick, type Stored } from '#lib/saving/text-fields.ts'

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

/** The kept words of a memo, after they were read from the device. */
export type KeptMemo = { fields: Partial<MemoFields>; versions: Record<string, number> }

/** Returns whether what the device kept are words of a memo. */
export function isKeptMemo(value: unknown): value is KeptMemo {
  if (typeof value !== 'object' || value === null || !('fields' in value) || !('versions' in value))
    return false
  const { fields, versions } = value
  if (typeof fields !== 'object' || fields === null || typeof versions !== 'object' || versions === null)
    return false
  return Object.keys(fields).every((name) => fieldNames.some((known) => known === name))
}

/** Returns the kept fields that the memo doesn't have as they are. */
export function newInKept(kept: KeptMemo, text: MemoFields): KeptMemo {
  const names = Object.entries(kept.fields)
    .filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(new Map(Object.entries(text)).get(name)),
    )
    .map(([name]) => name)
  const versions = Object.fromEntries(Object.entries(kept.versions).filter(([name]) => names.includes(name)))
  const fields: Partial<MemoFields> = pick<Partial<MemoFields>>(kept.fields, names)
  return { fields, versions }
}

/** Returns the words of a text without its markup. */
export function plainText(html: string): string {
  const spaced = html.replaceAll(/<\/(p|li|h\d|td|th|blockquote)>|<br\s*\/?>/gi, '\n')
  return spaced
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .trim()
}

export function countWords(html: string): number {
  return plainText(html).match(/\S+/g)?.length ?? 0
}
