import { useMutation, useQueryClient } from '@tanstack/react-query'
import { likeMemoReply } from '@tidings/contracts/editions'
import { paths } from '@tidings/contracts/paths'
import { useEffect, useState } from 'react'
import { Heart } from '#components/heart.tsx'
import { useToasts } from '#components/toaster.tsx'
import { postJson } from '#lib/api-client.ts'
import { useServices } from '#lib/services.tsx'
import { setLikes } from './edition-memos.ts'
import { findLikeMark, saveLikeMark } from './like-marks.ts'
import type { Memo } from './memo.ts'

/** The heart and its count. A tap changes both only after the server has replied with 200. */
export function LikeButton({ memo }: { memo: Memo }) {
  const { deviceStore } = useServices()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [mark, setMark] = useState(() => findLikeMark(deviceStore, memo.id))
  const isLiked = mark === 'added'

  // Another tab of this browser may change the mark.
  useEffect(
    () =>
      deviceStore.subscribe(({ key }) => {
        if (key === memo.id) setMark(findLikeMark(deviceStore, memo.id))
      }),
    [deviceStore, memo.id],
  )

  const like = useMutation({
    mutationFn: (add: boolean) => postJson(paths.updateCounter, { id: memo.id, add }, likeMemoReply),
    onSuccess({ counter }, add) {
      const next = add ? 'added' : 'origin'
      saveLikeMark(deviceStore, memo.id, next)
      setMark(next)
      setLikes(queryClient, memo.id, counter)
    },
    onError: () => toasts.show('error', "We couldn't save that. Please try again."),
  })

  return (
    <button
      type="button"
      className="like"
      aria-pressed={isLiked}
      aria-label={`Like, ${memo.likes} ${memo.likes === 1 ? 'like' : 'likes'}`}
      onClick={() => {
        if (!like.isPending) like.mutate(!isLiked)
      }}
    >
      <Heart isFilled={isLiked} />
      <span>{memo.likes}</span>
    </button>
  )
}
