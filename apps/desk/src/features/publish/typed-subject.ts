import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { keepSubject, readKeptSubject } from '#lib/saving/kept-subject.ts'

/** The subject of an edition's emails as it is typed, kept on the device until it is saved; null before that. */
function typedSubjectQuery(key: string) {
  return queryOptions({
    queryKey: ['typed-subject', key],
    queryFn: () => readKeptSubject(key),
    initialData: () => readKeptSubject(key),
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
    (text) => {
      queryClient.setQueryData(query.queryKey, text)
      keepSubject(key, text)
    },
  ]
}

/** Returns the subject that isn't saved yet; undefined without one. */
export function unsavedSubject(typed: string | null, { subject }: Pick<DeskEdition, 'subject'>) {
  const text = typed?.trim()
  return text === subject ? undefined : text
}
