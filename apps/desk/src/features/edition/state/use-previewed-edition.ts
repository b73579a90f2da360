import { type QueryClient, type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import { pictureQuery } from '#features/picture/picture-calls.ts'
import type { PreviewedEdition, PreviewedMemo } from '#features/preview/rendering/previewed-edition.ts'
import { unsavedSubject, useTypedSubject } from '#features/publish/typed-subject.ts'
import { orderOf } from './edition-calls.ts'
import { memoDrafts } from './memo-drafts.ts'
import { type MemoFields, storedMemo } from './memo-fields.ts'
import type { OpenMemo } from './use-draft.ts'

type Shown = {
  day: CalendarDate
  slot: string
  /** The memo that is written, once it is read. */
  open: OpenMemo | null
  /** The memo to unfold. */
  openId: string | null
  note: string
}

/** Returns an edition as it stands at the desk, with words that aren't saved yet. */
export function usePreviewedEdition(
  edition: DeskEdition,
  { day, slot, open, openId, note }: Shown,
): PreviewedEdition {
  const queryClient = useQueryClient()
  const [typedSubject] = useTypedSubject(edition)
  const memos = orderOf(edition).flatMap((id) => {
    const memo = previewedMemo(edition, id, open, queryClient)
    return memo === null ? [] : [id === open?.id ? { ...memo, note } : memo]
  })
  const files = [...new Set(memos.map(({ media }) => media))].filter((file) => file !== '')
  const pictures = useQueries({ queries: files.map(pictureQuery) })
  const urls = new Map(files.map((file, index) => [file, urlOf(pictures[index])]))
  return {
    key: edition.key,
    day,
    slot,
    memos: memos.map((memo) => ({ ...memo, pictureUrl: memo.media === '' ? null : urls.get(memo.media) })),
    subject: unsavedSubject(typedSubject, edition),
    openId,
  }
}

function urlOf(read: UseQueryResult<{ url: string }> | undefined): string | null | undefined {
  if (read?.data !== undefined) return read.data.url
  return read === undefined || read.failureCount > 0 ? null : undefined
}

function previewedMemo(
  { memos, workingCopies }: DeskEdition,
  id: string,
  open: OpenMemo | null,
  queryClient: QueryClient,
): Omit<PreviewedMemo, 'pictureUrl'> | null {
  const memo = memos.find((each) => each.id === id)
  const listed = workingCopies.find((each) => each.id === id) ?? memo
  if (listed === undefined) return null
  const stored = storedMemo({ ...listed, savedAt: '', edition: '', place: 0, isPublic: true, changed: [] })
  const text = open?.id === id ? open.state.text : newerText(stored, queryClient, id)
  const publicNote =
    memo === undefined || memo.note === '' || memo.notedAt === null
      ? null
      : { text: memo.note, at: memo.notedAt }
  return { ...text, id, counter: memo?.counter ?? 0, note: '', publicNote }
}

/** A memo that was left may have words that the server still lacks. */
function newerText(
  stored: { text: MemoFields; version: number },
  queryClient: QueryClient,
  id: string,
): MemoFields {
  const draft = memoDrafts.find(queryClient, id)
  if (draft === undefined) return stored.text
  const { text, stored: known } = draft.getState()
  return !draft.isSaved() || known.version >= stored.version ? text : stored.text
}
