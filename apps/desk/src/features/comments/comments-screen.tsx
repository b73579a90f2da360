import './comments.css'
import { Failure } from '#components/failure.tsx'
import { useIsPhone } from '#lib/browser/use-is-phone.ts'
import { useKeys } from '#lib/browser/use-keys.ts'
import { useYou } from '#lib/desk-context.ts'
import { CommentActions } from './comment-actions.tsx'
import type { CommentSearch, Decision } from './comment-calls.ts'
import { CommentContext } from './comment-context.tsx'
import { useCommentList, useDecisions } from './comment-list.ts'
import { CommentRow } from './comment-row.tsx'
import { CommentsBar } from './comments-bar.tsx'

type Props = { search: CommentSearch; onSearch: (search: CommentSearch) => void }

/** Lists comments with their context, and decides about them. */
export function CommentsScreen({ search, onSearch }: Props) {
  const isPhone = useIsPhone()
  const mayDecide = useYou().roles.some((role) => role !== 'writer')
  const { list, comments, open, setOpen, chosen, choose, chooseNone, neighborOf } = useCommentList(search)
  const decisions = useDecisions(chooseNone)

  /** Opens the comment after those that the decision is about, which may leave the list. */
  function decide(decision: Decision) {
    if ('ids' in decision && open !== null && decision.ids.includes(open.id) && search.show !== 'all')
      setOpen((neighborOf(1) ?? neighborOf(-1))?.id ?? null)
    decisions.decide(decision)
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
  const actions = open !== null && mayDecide && (
    <CommentActions comment={open} isPending={decisions.isPending} onDecide={decide} />
  )
  const context = open !== null && (
    <CommentContext id={open.id}>
      {!isPhone && actions}
      {mayDecide && (
        <p className="meta">
          A hidden comment is gone for every reader, its author included. It can be shown again at any time.
        </p>
      )}
    </CommentContext>
  )
  return (
    <div className="comments">
      <CommentsBar search={search} onSearch={onSearch} />
      <div className="comments-columns">
        <section aria-label="Comments" className="comments-list">
          {chosen.length > 0 && (
            <Chosen
              ids={chosen}
              of={comments.length}
              isPending={decisions.isPending}
              onDecide={decide}
              onNone={chooseNone}
            />
          )}
          <Failure text={(list.error ?? decisions.error)?.message ?? null} />
          {list.isPending && list.error === null && (
            <p role="status" className="loading">
              Loading the comments…
            </p>
          )}
          <ul>
            {comments.map((comment) => (
              <CommentRow
                key={comment.id}
                comment={comment}
                isOpen={comment.id === open?.id}
                isChosen={chosen.includes(comment.id)}
                onChoose={mayDecide ? () => choose(comment.id) : null}
                onOpen={() => setOpen(isPhone && comment.id === open?.id ? null : comment.id)}
              >
                {isPhone && (
                  <>
                    {mayDecide && (
                      <CommentActions comment={comment} isPending={decisions.isPending} onDecide={decide} />
                    )}
                    {comment.id === open?.id && context}
                  </>
                )}
              </CommentRow>
            ))}
          </ul>
          {list.hasNextPage && (
            <button
              type="button"
              className="plain comments-more"
              disabled={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              Show more
            </button>
          )}
          {list.isSuccess && !list.hasNextPage && (
            <p className="comments-end">{endText(search, comments.length)}</p>
          )}
        </section>
        {!isPhone && (
          <aside aria-label="Context" className="comments-context">
            {context || <p className="meta">Open a comment to see where it stands.</p>}
          </aside>
        )}
      </div>
      <div className="comments-foot">
        <p role="status">
          {decisions.done !== null && <span>{decisions.done.text}</span>}
          {decisions.undo !== undefined && (
            <button type="button" className="plain" onClick={decisions.undo}>
              Undo
            </button>
          )}
        </p>
        <p className="meta comments-keys">
          <kbd>J</kbd> <kbd>K</kbd> next, previous
          {mayDecide && (
            <>
              <kbd>X</kbd> choose <kbd>H</kbd> hide <kbd>E</kbd> keep
            </>
          )}
        </p>
      </div>
    </div>
  )
}

type ChosenProps = {
  ids: string[]
  of: number
  isPending: boolean
  onDecide: (decision: Decision) => void
  onNone: () => void
}

function Chosen({ ids, of, isPending, onDecide, onNone }: ChosenProps) {
  const all = ids.length === 1 ? 'it' : ids.length === 2 ? 'both' : `all ${ids.length}`
  return (
    <div className="comments-chosen">
      <b>{ids.length} chosen</b>
      <button
        type="button"
        className="filled"
        disabled={isPending}
        onClick={() => onDecide({ deed: 'hide', ids })}
      >
        Hide {all}
      </button>
      <button
        type="button"
        className="plain"
        disabled={isPending}
        onClick={() => onDecide({ deed: 'keep', ids })}
      >
        Keep {all}
      </button>
      <button type="button" className="plain quiet" onClick={onNone}>
        Choose none
      </button>
      <span className="meta">
        {ids.length} of {of}
      </span>
    </div>
  )
}

function endText({ show, q }: CommentSearch, count: number): string {
  if (show === 'reported') return 'That is every report.'
  if (count === 0) return q === undefined ? 'There are no comments here.' : 'No comment has these words.'
  return 'That is every comment.'
}
