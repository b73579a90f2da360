import type { QueryClient } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import type { WorkingCopy } from '@tidings/contracts/desk/memo-text'
import * as routes from '@tidings/contracts/desk/routes'
import { createTextDrafts, newerOf } from '#features/writing/text-drafts.ts'
import { call } from '#lib/api/call.ts'
import { isWorkingCopy, type MemoFields, storedMemo } from './memo-fields.ts'

/** The drafts of memos. */
export const memoDrafts = createTextDrafts<WorkingCopy, MemoFields>({
  stored: storedMemo,
  isCopy: isWorkingCopy,
  save: async (id, body, options) =>
    (await call(routes.saveWorkingCopy, { params: { id }, body }, options)).data,
  onSaved: showSaved,
})

/** Shows a saved memo in the lists, without reading them again. */
function showSaved(queryClient: QueryClient, copy: WorkingCopy): void {
  queryClient.setQueryData<WorkingCopy>(['working-copy', copy.id], (known) => newerOf(known, copy))
  queryClient.setQueryData<DeskEdition | null>(['edition', copy.edition], (edition) => {
    if (edition === null || edition === undefined) return edition
    const { title, memo_content, media, media_alt, ready, version } = copy
    if (edition.status !== 'published') {
      const shown = { title, memo_content, media, media_alt, ready, version }
      return {
        ...edition,
        memos: edition.memos.map((memo) => (memo.id === copy.id ? { ...memo, ...shown } : memo)),
      }
    }
    const others = edition.workingCopies.filter(({ id }) => id !== copy.id)
    return { ...edition, workingCopies: [...others, copy].toSorted((a, b) => a.place - b.place) }
  })
  void queryClient.invalidateQueries({ queryKey: ['editions'], refetchType: 'none' })
}
