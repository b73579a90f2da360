import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { messages } from '@tidings/contracts/membership/messages'
import { useState } from 'react'
import { LoadingSkeleton } from '#components/loading-skeleton.tsx'
import { Notice } from '#components/notice.tsx'
import { errorCode, errorText } from '#lib/api/error-text.ts'
import { useMember } from '#lib/member/use-member.ts'
import { useIsLoggedIn } from '#lib/member/use-session.ts'
import { requestedPath } from '#lib/requested-path.ts'
import { useServices } from '#lib/services/services.tsx'
import { type Order, postsOf, useCommentChange } from './comment-queries.ts'
import { PostItem } from './post-item.tsx'
import { useAnnounceTyping, useOthersTyping } from './typing.ts'
import { WriteForm } from './write-form.tsx'

/** Errors that a second request would get, too. */
const refusals = [
  'access-denied',
  'article-not-found',
  'edition-not-found',
  'gate-required',
  'login-required',
]

type PanelProps = { channel: string; onRemoved: () => void }

/** The form to write, and the posts of a channel. */
export function CommentPanel({ channel, onRemoved }: PanelProps) {
  const { memberSession } = useServices()
  const [order, setOrder] = useState<Order>('newest')
  const [status, setStatus] = useState('')
  const member = useMember().data ?? null
  const posts = useInfiniteQuery(postsOf(memberSession, channel, order))
  const announce = useAnnounceTyping(channel)
  const isOtherTyping = useOthersTyping(channel, member?.id)
  const create = useCommentChange(channel, (client, content: string) =>
    client.createPost({ channelKey: channel, content }),
  )
  const shown = posts.data?.pages.flat() ?? []

  function olderText(): string {
    if (posts.isFetchingNextPage) return messages.loading
    return order === 'newest' ? 'Older comments' : 'Newer comments'
  }

  if (posts.data === undefined) {
    return posts.isPending || posts.isFetching ? (
      <LoadingSkeleton />
    ) : (
      <Unavailable error={posts.error} onRetry={() => void posts.refetch()} />
    )
  }
  return (
    <>
      {member === null ? (
        <LogInLine />
      ) : (
        <WriteForm
          key={member.id}
          label="Write a comment"
          action="Post"
          draft={{ member: member.id, name: `comment:${channel}` }}
          onType={announce}
          onSubmit={async (text) => {
            await create.mutateAsync(text)
            setOrder('newest')
            setStatus('Your comment was posted.')
          }}
        />
      )}
      <p className="comments-status" role="status">
        {status}
      </p>
      {posts.error === null ? null : (
        <p className="comments-status" data-error="true">
          {errorText(posts.error)} You see the comments that were read last.
        </p>
      )}
      {shown.length > 1 ? <OrderChoice order={order} onChange={setOrder} /> : null}
      {shown.length === 0 ? <p className="comments-empty">No comments yet.</p> : null}
      <ul className="comment-list">
        {shown.map((post) => (
          <PostItem
            key={post.id}
            post={post}
            channel={channel}
            ownId={member?.id ?? null}
            onType={announce}
            onDone={setStatus}
            onRemoved={onRemoved}
          />
        ))}
      </ul>
      {posts.hasNextPage ? (
        <button
          type="button"
          className="link"
          aria-disabled={posts.isFetchingNextPage}
          onClick={() => void posts.fetchNextPage()}
        >
          {olderText()}
        </button>
      ) : null}
      <p className="comments-typing">{isOtherTyping ? 'Someone is writing…' : ''}</p>
    </>
  )
}

function Unavailable({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (refusals.includes(errorCode(error))) return <Notice text={errorText(error)} />
  return (
    <Notice text={errorText(error)}>
      <button type="button" className="link" onClick={onRetry}>
        Try again
      </button>
    </Notice>
  )
}

function LogInLine() {
  const location = useLocation()
  const isLoggedIn = useIsLoggedIn()
  if (isLoggedIn) return null
  return (
    <p className="comments-log-in">
      <Link className="link" to="/account/login" state={{ from: requestedPath(location) }}>
        Log in
      </Link>{' '}
      to write a comment.
    </p>
  )
}

function OrderChoice({ order, onChange }: { order: Order; onChange: (order: Order) => void }) {
  return (
    <fieldset className="comments-order" aria-label="Order">
      {(['newest', 'oldest'] as const).map((each) => (
        <button key={each} type="button" aria-pressed={order === each} onClick={() => onChange(each)}>
          {each === 'newest' ? 'Newest first' : 'Oldest first'}
        </button>
      ))}
    </fieldset>
  )
}
