import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Heart } from '@tidings/ui/heart'
import { useSyncExternalStore } from 'react'
import { useToasts } from '#components/toaster.tsx'
import { ApiError, NetworkError } from '#lib/api/api-client.ts'
import { useServices } from '#lib/services/services.tsx'
import type { Memo } from '../memo.ts'
import {
  findLikeMark,
  isLikeSending,
  likeSending,
  pendingLikes,
  queueLike,
  takeBackLike,
} from './pending-likes.ts'

/** The heart and its count. A tap is pending until the server has replied with 200, which changes mark and count. */
export function LikeButton({ memo }: { memo: Memo }) {
  const { deviceStore } = useServices()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  // Another tab of this browser may change the mark.
  const mark = useSyncExternalStore(deviceStore.subscribe, () => findLikeMark(deviceStore, memo.id))
  const { data: pending } = useQuery(pendingLikes(deviceStore))
  const queued = pending[memo.id]
  const isLiked = queued ?? mark === 'added'

  const like = useMutation({
    ...likeSending(queryClient, deviceStore, memo.id),
    onError(error) {
      // Without a connection or a gate pass, it is sent later.
      if (error instanceof NetworkError || (error instanceof ApiError && error.status === 401)) return
      takeBackLike(queryClient, deviceStore, memo.id)
      toasts.show('error', 'We couldn’t save your like. Try again.')
    },
  })

  return (
    <button
      type="button"
      className="like"
      aria-pressed={isLiked}
      data-pending={queued !== undefined}
      aria-label={`Like, ${memo.likes} ${memo.likes === 1 ? 'like' : 'likes'}${queued === undefined ? '' : ', not saved yet'}`}
      onClick={() => {
        queueLike(queryClient, deviceStore, memo.id)
        if (!isLikeSending(queryClient, memo.id)) like.mutate()
      }}
    >
      <Heart isFilled={isLiked} />
      <span>{memo.likes}</span>
    </button>
  )
}
