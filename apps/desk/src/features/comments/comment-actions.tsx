import type { DeskComment } from '@tidings/contracts/desk/comments'
import { useEffect, useRef, useState } from 'react'
import type { Decision } from './comment-calls.ts'
import { nameOf } from './comment-words.ts'

type Props = { comment: DeskComment; isPending: boolean; onDecide: (decision: Decision) => void }

/** Decides about one comment, or about all comments of its author. */
export function CommentActions({ comment, isPending, onDecide }: Props) {
  const [asks, setAsks] = useState(false)
  const { id, hidden, authorHidden, memberId, reports } = comment
  const name = nameOf(comment.author.name)
  return (
    <>
      <div className="actions comments-actions">
        <button
          type="button"
          disabled={isPending}
          onClick={() => onDecide({ deed: hidden ? 'show' : 'hide', ids: [id] })}
        >
          {hidden ? 'Show again' : 'Hide'}
        </button>
        {reports.length > 0 && (
          <button
            type="button"
            className="plain"
            disabled={isPending}
            onClick={() => onDecide({ deed: 'keep', ids: [id] })}
          >
            Keep
          </button>
        )}
        {authorHidden ? (
          <button
            type="button"
            className="plain"
            disabled={isPending}
            onClick={() => onDecide({ deed: 'show-author', memberId, name })}
          >
            Show this author again
          </button>
        ) : (
          <button type="button" className="plain quiet" onClick={() => setAsks(true)}>
            Hide all by this author…
          </button>
        )}
      </div>
      {asks && (
        <AuthorDialog
          name={name}
          onClose={() => setAsks(false)}
          onHide={() => onDecide({ deed: 'hide-author', memberId, name })}
        />
      )}
    </>
  )
}

function AuthorDialog({ name, onClose, onHide }: { name: string; onClose: () => void; onHide: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby="hide-author-title" onClose={onClose}>
      <h2 id="hide-author-title">Hide all comments by {name}?</h2>
      <p>
        What {name} has written and will write is hidden from all other readers. {name} continues to see it.
        It can be shown again at any time.
      </p>
      <div className="actions">
        <button
          type="button"
          className="filled"
          onClick={() => {
            onHide()
            dialog.current?.close()
          }}
        >
          Hide all
        </button>
        <button type="button" className="plain" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </div>
    </dialog>
  )
}
