import './comments.css'
import { Failure } from '#components/failure.tsx'
import { ListEnd } from '#components/list-end.tsx'
import { useIsPhone } from '#lib/browser/use-is-phone.ts'
import { useYou } from '#lib/desk-context.ts'
import { ChosenBar } from './chosen-bar.tsx'
import { CommentActions } from './comment-actions.tsx'
import type { CommentSearch } from './comment-calls.ts'
import { CommentContext } from './comment-context.tsx'
import { CommentRow } from './comment-row.tsx'
import { CommentsBar } from './comments-bar.tsx'
import { CommentsFoot } from './comments-foot.tsx'
import { useModeration } from './moderation.ts'

type Props = { search: CommentSearch; onSearch: (search: CommentSearch) => void }

/** Lists comments with their context, and decides about them. */
export function CommentsScreen({ search, onSearch }: Props) {
  const isPhone = useIsPhone()
  const mayDecide = useYou().roles.some((role) => role !== 'writer')
  const { list, comments, open, setOpen, chosen, choose, chooseNone, decisions } = useModeration(
    search,
    mayDecide,
  )
  const { decide } = decisions
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
            <ChosenBar
              ids={chosen}
              of={comments.length}
              isPending={decisions.isPending}
              onDecide={decide}
              onNone={chooseNone}
            />
          )}
          <Failure text={decisions.error?.message ?? null} />
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
          <ListEnd list={list} loading="Loading the comments…">
            <p className="comments-end">{endText(search, comments.length)}</p>
          </ListEnd>
        </section>
        {!isPhone && (
          <aside aria-label="Context" className="comments-context">
            {context || <p className="meta">Open a comment to see where it stands.</p>}
          </aside>
        )}
      </div>
      <CommentsFoot done={decisions.done} onUndo={decisions.undo} mayDecide={mayDecide} />
    </div>
  )
}

function endText({ show, q }: CommentSearch, count: number): string {
  if (show === 'reported') return 'That is every report.'
  if (count === 0) return q === undefined ? 'There are no comments here.' : 'No comment has these words.'
  return 'That is every comment.'
}
