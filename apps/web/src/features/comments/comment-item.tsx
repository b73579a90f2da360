import { messages } from '@tidings/contracts/membership/messages'
import { Prose } from '@tidings/ui/prose'
import { sanitizedByServer } from '@tidings/ui/safe-html'
import { type ReactNode, useRef, useState } from 'react'
import { errorText } from '#lib/api/error-text.ts'
import { type Comment, useCommentChange } from './comment-queries.ts'
import { textOfComment } from './comment-text.ts'
import { CommentTime } from './comment-time.tsx'
import { Report } from './report.tsx'
import { Votes } from './votes.tsx'
import { WriteForm } from './write-form.tsx'

type CommentItemProps = {
  comment: Comment
  channel: string
  /** Id of the logged-in member; null for a visitor. */
  ownId: string | null
  /** The reader's actions besides voting. */
  actions?: ReactNode
  onDone: (status: string) => void
  onRemoved: () => void
}

/** One post or reply: its author, time and text, and what the reader can do with it. */
export function CommentItem({ comment, channel, ownId, actions, onDone, onRemoved }: CommentItemProps) {
  const [mode, setMode] = useState<'shown' | 'edited' | 'deleted'>('shown')
  const editButton = useRef<HTMLButtonElement>(null)
  const { kind, value } = comment
  const { id } = value
  const isOwn = value.member.id === ownId
  const update = useCommentChange(channel, (client, content: string) =>
    kind === 'post'
      ? client.updatePost({ postId: id, content })
      : client.updateThread({ threadId: id, content }),
  )
  const remove = useCommentChange(channel, (client, _: null) =>
    kind === 'post' ? client.deletePost({ postId: id }) : client.deleteThread({ threadId: id }),
  )

  function leaveEdit() {
    setMode('shown')
    // The button is back in the page after the next render.
    setTimeout(() => editButton.current?.focus())
  }

  async function removeComment() {
    if (remove.isPending) return
    try {
      await remove.mutateAsync(null)
    } catch {
      // The mutation keeps the error, which is shown below.
      return
    }
    onDone('Your comment was deleted.')
    onRemoved()
  }

  if (mode === 'edited') {
    return (
      <WriteForm
        label="Edit your comment"
        action="Save"
        text={textOfComment(value.content)}
        onSubmit={async (text) => {
          await update.mutateAsync(text)
          onDone('Your comment was saved.')
          leaveEdit()
        }}
        onCancel={leaveEdit}
      />
    )
  }
  return (
    <article className="comment" aria-label={`Comment of ${nameOf(value.member)}`}>
      <p className="comment-head">
        <span dir="auto">{nameOf(value.member)}</span> <CommentTime iso={value.createdAt} />
      </p>
      <Prose html={sanitizedByServer(value.content)} className="comment-text" />
      {mode === 'deleted' ? (
        <fieldset className="comment-actions" aria-label="Delete this comment?">
          <span>{kind === 'post' ? 'Delete it with its replies?' : 'Delete it?'}</span>
          <button type="button" aria-disabled={remove.isPending} onClick={() => void removeComment()}>
            {remove.isPending ? messages.pleaseWait : 'Delete'}
          </button>
          <button type="button" ref={(button) => button?.focus()} onClick={leaveEdit}>
            Keep
          </button>
        </fieldset>
      ) : (
        <div className="comment-actions">
          <Votes comment={comment} channel={channel} canVote={ownId !== null && !isOwn} />
          {actions}
          {ownId !== null && !isOwn ? <Report comment={comment} /> : null}
          {isOwn ? (
            <>
              <button type="button" ref={editButton} onClick={() => setMode('edited')}>
                Edit
              </button>
              <button type="button" onClick={() => setMode('deleted')}>
                Delete
              </button>
            </>
          ) : null}
        </div>
      )}
      {remove.error === null ? null : (
        <p className="comments-status" role="status" data-error="true">
          {errorText(remove.error)}
        </p>
      )}
    </article>
  )
}

/** Returns the public name of an author. */
function nameOf({ customFields }: Comment['value']['member']): string {
  const { name } = customFields
  return typeof name === 'string' && name.trim() !== '' ? name : 'A member'
}
