import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { memoQuery } from './edition-calls.ts'

/** Reads all memos of an edition, so that each opens at once, and without a connection too. Waits while `isBusy`. */
export function useReadAhead(ids: readonly string[], isBusy: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (isBusy) return
    for (const id of ids)
      void queryClient.prefetchQuery({ ...memoQuery(id), staleTime: Number.POSITIVE_INFINITY })
  }, [ids.join(), isBusy])
}
