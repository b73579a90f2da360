import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Heart } from '#components/heart.tsx'
import { useToasts } from '#components/toaster.tsx'
import { NetworkError } from '#lib/api-client.ts'
import { useServices } from '#lib/services.tsx'
import { findLikeMark } from './like-marks.ts'
import type { Memo } from './memo.ts'
import { pendingLikes, saveLike, setPendingLike } from './pending-likes.ts'

/** The heart and its count. A tap changes both after the server has replied with 200; offline, it stays pending. */
export function LikeButton({ memo }: { memo: Memo }) {
  const { deviceStore } = useServices()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [mark, setMark] = useState(() => findLikeMark(deviceStore, memo.id))
  const { data: pending } = useQuery(pendingLikes(deviceStore))
  const queued = pending[memo.id]
  const isLiked = queued ?? mark === 'added'

  // Another tab of this browser may change the mark.
  useEffect(
    () =>
      deviceStore.subscribe(({ key }) => {
        if (key === memo.id) setMark(findLikeMark(deviceStore, memo.id))
      }),
    [deviceStore, memo.id],
  )

  // A queued like has been saved or refused.
  useEffect(() => {
    if (queued === undefined) setMark(findLikeMark(deviceStore, memo.id))
  }, [queued, deviceStore, memo.id])

  const like = useMutation({
    mutationFn: (add: boolean) => saveLike(queryClient, deviceStore, memo.id, add),
    onSuccess() {
      setPendingLike(queryClient, deviceStore, memo.id, null)
      setMark(findLikeMark(deviceStore, memo.id))
    },
    onError(error, add) {
      if (error instanceof NetworkError) setPendingLike(queryClient, deviceStore, memo.id, add)
      else toasts.show('error', "We couldn't save that. Please try again.")
    },
  })

  return (
    <button
      type="button"
      className="like"
      aria-pressed={isLiked}
      data-pending={queued !== undefined}
      aria-label={`Like, ${memo.likes} ${memo.likes === 1 ? 'like' : 'likes'}${queued === undefined ? '' : ', waiting for a connection'}`}
      onClick={() => {
        if (!like.isPending) like.mutate(!isLiked)
      }}
    >
      <Heart isFilled={isLiked} />
      <span>{memo.likes}</span>
    </button>
  )
}
