import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { countWords } from '#features/writing/plain-text.ts'
import type { MemoFields } from './memo-fields.ts'

/** A memo in the list of its edition. */
export type MemoRow = {
  id: string
  title: string
  state: 'Ready' | 'Writing' | 'Empty' | 'Public' | 'Changed' | 'Private'
  words: number
  picture: 'none' | 'picture' | 'no alt text'
  version: number
}

type Listed = Pick<MemoFields, 'title' | 'memo_content' | 'media' | 'media_alt' | 'ready'> & {
  version: number
}

/** Returns the memos of an edition in order, with what is typed in the open one. */
export function memoRows(
  edition: DeskEdition,
  ids: readonly string[],
  open: { id: string; text: MemoFields } | null,
): MemoRow[] {
  const { memos, workingCopies, status } = edition
  return ids.flatMap((id) => {
    const memo = memos.find((each) => each.id === id)
    const copy = workingCopies.find((each) => each.id === id)
    const listed: Listed | undefined = copy ?? memo
    if (listed === undefined) return []
    const text = open?.id === id ? open.text : listed
    const hasChanges = copy !== undefined && copy.changed.length > 0
    const publicState = memo === undefined ? 'Private' : hasChanges ? 'Changed' : 'Public'
    const state = status === 'published' ? publicState : draftState(text)
    return [
      {
        id,
        title: text.title,
        state,
        words: countWords(text.memo_content),
        picture: pictureOf(text),
        version: listed.version,
      },
    ]
  })
}

function draftState({ title, memo_content, ready }: Omit<Listed, 'version'>): MemoRow['state'] {
  if (title === '' && countWords(memo_content) === 0) return 'Empty'
  return ready ? 'Ready' : 'Writing'
}

function pictureOf({ media, media_alt }: Omit<Listed, 'version'>): MemoRow['picture'] {
  if (media === '') return 'none'
  return media_alt === null ? 'no alt text' : 'picture'
}

/** Returns the order with one memo a place up or down. At the end it stays where it is. */
export function moved(ids: readonly string[], id: string, by: -1 | 1): string[] {
  const from = ids.indexOf(id)
  const to = from + by
  if (from === -1 || to < 0 || to >= ids.length) return [...ids]
  return ids.toSpliced(from, 1).toSpliced(to, 0, id)
}
