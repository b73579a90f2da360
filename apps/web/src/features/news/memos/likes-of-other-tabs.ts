import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useServices } from '#lib/services/services.tsx'
import { addLikes } from './edition-memos.ts'
import { pendingLikes } from './pending-likes.ts'

/** Counts the likes that the reader adds or takes back in another tab, and follows those that it queues. */
export function useLikesOfOtherTabs(): void {
  const { deviceStore } = useServices()
  const queryClient = useQueryClient()
  useEffect(
    () =>
      deviceStore.subscribe(({ key, before, after }) => {
        const isLiked = after === 'added'
        void queryClient.invalidateQueries({ queryKey: pendingLikes(deviceStore).queryKey })
        if (isLiked !== (before === 'added')) addLikes(queryClient, key, isLiked ? 1 : -1)
      }),
    [deviceStore, queryClient],
  )
}
