import { useKeys } from '#lib/browser/use-keys.ts'
import type { CommentSearch, Decision } from './comment-calls.ts'
import { useCommentList, useDecisions } from './comment-list.ts'

/** The list with its decisions and keys. */
export function useModeration(search: CommentSearch, mayDecide: boolean) {
  const state = useCommentList(search)
  const { open, setOpen, chosen, choose, chooseNone, neighborOf } = state
  const decisions = useDecisions(onDecided)
  const { decide } = decisions

  /** Opens the comment beside those that the decision was about, which may leave the list. */
  function onDecided(decision: Decision) {
    chooseNone()
    if ('ids' in decision && open !== null && decision.ids.includes(open.id) && search.show !== 'all')
      setOpen((neighborOf(1, decision.ids) ?? neighborOf(-1, decision.ids))?.id ?? null)
  }
  const idsOrOpen = chosen.length > 0 ? chosen : open === null ? [] : [open.id]
  const act = (deed: 'hide' | 'keep') => () => {
    if (mayDecide && idsOrOpen.length > 0) decide({ deed, ids: idsOrOpen })
  }
  const go = (step: 1 | -1) => () => {
    const next = neighborOf(step)
    if (next !== null) setOpen(next.id)
  }
  useKeys({
    j: go(1),
    k: go(-1),
    x: open !== null && mayDecide ? () => choose(open.id) : undefined,
    h: act('hide'),
    e: act('keep'),
    'mod+z': decisions.undo,
  })
  return { ...state, decisions }
}
