import { useQuery } from '@tanstack/react-query'
import type { OpenText } from '#features/writing/open-text.ts'
import { useOpenText } from '#features/writing/use-open-text.ts'
import { memoQuery } from './edition-calls.ts'
import { memoDrafts } from './memo-drafts.ts'
import { type MemoFields, storedMemo } from './memo-fields.ts'

/** The open memo: what is typed, and what the server has. */
export type OpenMemo = OpenText<MemoFields>

/** Opens the draft of a memo, and saves it when it is left. Null until it is read, or without an id. */
export function useDraft(id: string | null): { open: OpenMemo | null; error: Error | null } {
  const read = useQuery({ ...memoQuery(id ?? ''), enabled: id !== null })
  return useOpenText(id, { read, drafts: memoDrafts, stored: storedMemo })
}
