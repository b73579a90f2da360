import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Stored } from '#lib/saving/text-fields.ts'
import type { OpenText } from './open-text.ts'
import { leaveDraft, type TextDrafts } from './text-drafts.ts'
import { useDraftState } from './use-draft-state.ts'

type Options<Copy, Text extends object> = {
  /** The text as it was read last. */
  read: { data: Copy | undefined; error: Error | null }
  drafts: TextDrafts<Copy, Text>
  stored: (copy: Copy) => Stored<Text>
}

/** Opens the draft of a text, and saves it when it is left. Null until it is read, or without an id. */
export function useOpenText<Copy, Text extends object>(
  id: string | null,
  { read: { data: copy, error }, drafts, stored }: Options<Copy, Text>,
): { open: OpenText<Text> | null; error: Error | null } {
  const queryClient = useQueryClient()
  const hasCopy = copy !== undefined
  const draft = useMemo(
    () => (copy === undefined ? null : drafts.open(queryClient, copy)),
    [queryClient, id, hasCopy],
  )
  useEffect(() => {
    if (draft !== null && copy !== undefined) draft.receive(stored(copy))
  }, [draft, copy])
  useEffect(() => {
    if (draft !== null) return () => void leaveDraft(draft)
  }, [draft])
  const state = useDraftState(draft)
  const open = id === null || draft === null || state === null ? null : { id, draft, state }
  return { open, error: hasCopy ? null : error }
}
