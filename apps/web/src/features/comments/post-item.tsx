import { useInfiniteQuery } from '@tanstack/react-query'
import type { CommentPost } from '@tidings/contracts/membership/comments'
import { messages } from '@tidings/contracts/membership/messages'
import { useId, useRef, useState } from 'react'
import { errorText } from '#lib/api/error-text.ts'
import { useServices } from '#lib/services/services.tsx'
import { CommentItem } from './comment-item.tsx'
import { repliesTo, useCommentChange } from './comment-queries.ts'
import { WriteForm } from './write-form.tsx'

type PostItemProps = {
  post: CommentPost
  channel: string
  ownId: string | null
  onType: () => void
  onDone: (status: string) => void
  onRemoved: () => void
}

/** A post, and its replies once the reader opens them. */
export function PostItem({ post, channel, ownId, onType, onDone, onRemoved }: PostItemProps) {
  const [isOpen, setOpen] = useState(false)
  const [isReplying, setReplying] = useState(false)
  const replyButton = useRef<HTMLButtonElement>(null)
  const repliesId = useId()
  const count = post._count.Threads
  const create = useCommentChange(channel, (client, content: string) =>
    client.createThread({ postId: post.id, content }),
  )

  function leaveReply() {
    setReplying(false)
    replyButton.current?.focus()
  }

  return (
    <li>
      <CommentItem
        comment={{ kind: 'post', value: post }}
        channel={channel}
        ownId={ownId}
        onDone={onDone}
        onRemoved={onRemoved}
        actions={
          <>
            {count === 0 ? null : (
              <button
                type="button"
                aria-expanded={isOpen}
                aria-controls={repliesId}
                onClick={() => setOpen(!isOpen)}
              >
                {count === 1 ? '1 reply' : `${count} replies`}
              </button>
            )}
            {ownId === null ? null : (
              <button type="button" ref={replyButton} onClick={() => setReplying(true)}>
                Reply
              </button>
            )}
          </>
        }
      />
      <div className="comment-replies" id={repliesId}>
        {isOpen && count > 0 ? (
          <Replies
            postId={post.id}
            channel={channel}
            ownId={ownId}
            onDone={onDone}
            onRemoved={() => replyButton.current?.focus()}
          />
        ) : null}
        {isReplying ? (
          <WriteForm
            label="Write a reply"
            action="Reply"
            onType={onType}
            onCancel={leaveReply}
            onSubmit={async (text) => {
              await create.mutateAsync(text)
              setOpen(true)
              onDone('Your reply was posted.')
              leaveReply()
            }}
          />
        ) : null}
      </div>
    </li>
  )
}

type RepliesProps = Pick<PostItemProps, 'channel' | 'ownId' | 'onDone' | 'onRemoved'> & { postId: string }

function Replies({ postId, channel, ownId, onDone, onRemoved }: RepliesProps) {
  const { memberSession } = useServices()
  const replies = useInfiniteQuery(repliesTo(memberSession, channel, postId))
  if (replies.data === undefined) {
    return replies.error === null || replies.isFetching ? (
      <p className="comments-status" role="status">
        {messages.loading}
      </p>
    ) : (
      <p className="comments-status" role="status" data-error="true">
        {errorText(replies.error)}{' '}
        <button type="button" className="link" onClick={() => void replies.refetch()}>
          Try again
        </button>
      </p>
    )
  }
  return (
    <>
      <ul className="comment-list">
        {replies.data.pages.flat().map((reply) => (
          <li key={reply.id}>
            <CommentItem
              comment={{ kind: 'thread', value: reply }}
              channel={channel}
              ownId={ownId}
              onDone={onDone}
              onRemoved={onRemoved}
            />
          </li>
        ))}
      </ul>
      {replies.hasNextPage ? (
        <button type="button" className="link" onClick={() => void replies.fetchNextPage()}>
          {replies.isFetchingNextPage ? messages.loading : 'More replies'}
        </button>
      ) : null}
    </>
  )
}
