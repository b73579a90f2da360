import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  type CommentSearch,
  commentPages,
  commentsKey,
  type Decided,
  type Decision,
  decide,
} from './comment-calls.ts'

const undoMs = 10_000

/** The comments of a filter, which of them is open, and which are chosen. */
export function useCommentList(search: CommentSearch) {
  const list = useInfiniteQuery({ ...commentPages(search), placeholderData: keepPreviousData })
  const comments = list.data?.pages.flatMap(({ data }) => data) ?? []
  const [wanted, setWanted] = useState<string | null>(null)
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const open = comments.find(({ id }) => id === wanted) ?? null
  const chosen = comments.filter(({ id }) => marked.has(id)).map(({ id }) => id)

  function choose(id: string) {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setMarked(next)
  }

  /** Returns the next comment after the open one, or before it, apart from those that leave the list. */
  function neighborOf(step: 1 | -1, leaving: readonly string[] = []) {
    const staying = comments.filter(({ id }) => id === open?.id || !leaving.includes(id))
    const index = staying.findIndex(({ id }) => id === open?.id)
    return staying[index === -1 ? 0 : index + step] ?? null
  }

  return {
    list,
    comments,
    open,
    setOpen: setWanted,
    chosen,
    choose,
    chooseNone: () => setMarked(new Set()),
    neighborOf,
  }
}

/** Decides about comments. `undo` is there for ten seconds after what can be undone. */
export function useDecisions(onDecided: (decision: Decision) => void) {
  const queryClient = useQueryClient()
  const [done, setDone] = useState<Decided | null>(null)
  const mutation = useMutation({
    mutationFn: decide,
    onSuccess(decided, decision) {
      setDone(decided)
      onDecided(decision)
      // It may be undone before the list is read again.
      void queryClient.invalidateQueries({ queryKey: commentsKey })
    },
  })
  useEffect(() => {
    if (done === null) return
    const timer = setTimeout(() => setDone(null), undoMs)
    return () => clearTimeout(timer)
  }, [done])
  const decideOnce = (decision: Decision) => {
    if (!mutation.isPending) mutation.mutate(decision)
  }
  const undo = done?.undo ?? null
  return {
    done,
    error: mutation.error,
    isPending: mutation.isPending,
    decide: decideOnce,
    undo: undo === null ? undefined : () => decideOnce(undo),
  }
}
