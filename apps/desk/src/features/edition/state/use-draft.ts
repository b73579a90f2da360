import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { DraftState } from '#lib/saving/draft-state.ts'
import { memoQuery } from './edition-calls.ts'
import { leaveDraft, type MemoDraft, openDraft } from './memo-drafts.ts'
import { type MemoFields, storedMemo } from './memo-fields.ts'

/** The open memo: what is typed, and what the server has. */
export type OpenMemo = { id: string; draft: MemoDraft; state: DraftState<MemoFields> }

/** Opens the draft of a memo, and saves it when it is left. Null until it is read, or without an id. */
export function useDraft(id: string | null): { open: OpenMemo | null; error: Error | null } {
  const queryClient = useQueryClient()
  const { data: copy, error } = useQuery({ ...memoQuery(id ?? ''), enabled: id !== null })
  const hasCopy = copy !== undefined
  const draft = useMemo(
    () => (copy === undefined ? null : openDraft(queryClient, copy)),
    [queryClient, id, hasCopy],
  )
  useEffect(() => {
    if (draft !== null && copy !== undefined) draft.receive(storedMemo(copy))
  }, [draft, copy])
  useEffect(() => {
    if (draft !== null) return () => void leaveDraft(draft)
  }, [draft])
  const state = useSyncExternalStore(draft?.subscribe ?? subscribeToNothing, () => draft?.getState() ?? null)
  const open = id === null || draft === null || state === null ? null : { id, draft, state }
  return { open, error: hasCopy ? null : error }
}

function subscribeToNothing(): () => void {
  return () => {}
}
