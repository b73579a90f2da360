import type { Vote } from '@tidings/contracts/membership/comments'
import { errorText } from '#lib/api/error-text.ts'
import { type Comment, useCommentChange } from './comment-queries.ts'

type VotesProps = { comment: Comment; channel: string; canVote: boolean }

/** The votes on a comment. The mark follows the tap at once, the counts come from the server. */
export function Votes({ comment, channel, canVote }: VotesProps) {
  const { kind, value } = comment
  const { id } = value
  const change = useCommentChange(channel, (client, vote: Vote) =>
    kind === 'post' ? client.postVote({ postId: id, vote }) : client.threadVote({ threadId: id, vote }),
  )
  const current = change.isPending ? change.variables : value.vote
  const counts = {
    UP: value._count.likedBy,
    DOWN: comment.kind === 'post' ? comment.value._count.dislikedBy : 0,
  }

  if (!canVote) {
    const { UP: likes, DOWN: dislikes } = counts
    return likes + dislikes === 0 ? null : (
      <span className="comment-counts">
        {[countText(likes, 'like'), countText(dislikes, 'dislike')].filter(Boolean).join(', ')}
      </span>
    )
  }
  return (
    <>
      {(['UP', 'DOWN'] as const).map((vote) => (
        <button
          key={vote}
          type="button"
          aria-pressed={current === vote}
          onClick={() => {
            if (!change.isPending) change.mutate(current === vote ? 'NONE' : vote)
          }}
        >
          {vote === 'UP' ? 'Like' : 'Dislike'}
          {counts[vote] === 0 ? '' : ` (${counts[vote]})`}
        </button>
      ))}
      {change.error === null ? null : (
        <span className="comments-status" role="status" data-error="true">
          {errorText(change.error)}
        </span>
      )}
    </>
  )
}

function countText(count: number, name: string): string {
  if (count === 0) return ''
  return count === 1 ? `1 ${name}` : `${count} ${name}s`
}
