import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'

const none: string | null = null

/** The subject of an edition's emails as it is typed, kept in memory until it is saved; null before that. */
function typedSubjectQuery(key: string) {
  return queryOptions({
    queryKey: ['typed-subject', key],
    queryFn: () => none,
    initialData: none,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

/** Returns what is typed as the subject of an edition, and a way to type on. Null where it can't be changed. */
export function useTypedSubject({
  key,
  status,
}: Pick<DeskEdition, 'key' | 'status'>): [string | null, (text: string | null) => void] {
  const queryClient = useQueryClient()
  const query = typedSubjectQuery(key)
  const { data } = useQuery(query)
  return [
    status === 'draft' || status === 'scheduled' ? data : null,
    (text) => queryClient.setQueryData(query.queryKey, text),
  ]
}

/** Returns the subject that isn't saved yet; undefined without one. */
export function unsavedSubject(typed: string | null, { subject }: Pick<DeskEdition, 'subject'>) {
  const text = typed?.trim()
  return text === subject ? undefined : text
}
