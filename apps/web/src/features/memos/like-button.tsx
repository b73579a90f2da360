import { useMutation, useQueryClient } from '@tanstack/react-query'
import { paths } from '@tidings/contracts/paths'
import { useState } from 'react'
import { Heart } from '../../components/heart.tsx'
import { useToasts } from '../../components/toaster.tsx'
import { postJson } from '../../lib/api-client.ts'
import { useSurroundings } from '../../lib/surroundings.tsx'
import { isRecord } from '../../lib/wire-reading.ts'
import { setLikes } from './edition-memos.ts'
import { keepLikeMark, readLikeMark } from './like-marks.ts'
import type { Memo } from './memo.ts'

/** The heart and its count. A tap changes both only when the server has answered 200. */
export function LikeButton({ memo }: { memo: Memo }) {
  const { deviceStore } = useSurroundings()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [mark, setMark] = useState(() => readLikeMark(deviceStore, memo.id))
  const isLiked = mark === 'added'

  const like = useMutation({
    mutationFn: (add: boolean) => postJson(paths.updateCounter, { id: memo.id, add }, parseLikes),
    onSuccess({ likes }, add) {
      const next = add ? 'added' : 'origin'
      keepLikeMark(deviceStore, memo.id, next)
      setMark(next)
      setLikes(queryClient, memo.id, likes ?? Math.max(0, memo.likes + (add ? 1 : -1)))
    },
    onError: () => toasts.show('error', 'That did not reach us. Please try again.'),
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

/** The count the server names; null, when it answers without one, leaves counting to the caller. */
function parseLikes(body: unknown): { likes: number | null } {
  return { likes: isRecord(body) && typeof body.counter === 'number' ? body.counter : null }
}
