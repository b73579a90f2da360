import { queryOptions } from '@tanstack/react-query'

/** The words of the last search, kept in memory only. */
export const soughtQuery = queryOptions({
  queryKey: ['members', 'sought'],
  queryFn: () => '',
  initialData: '',
  staleTime: Number.POSITIVE_INFINITY,
})
