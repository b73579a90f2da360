import { useQuery } from '@tanstack/react-query'
import type { DeskComment } from '@tidings/contracts/desk/comments'
import type { ReactNode } from 'react'
import { Failure } from '#components/failure.tsx'
import { useZones } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import { contextOf } from './comment-calls.ts'
import { nameOf, placeText, recordText, siteAddress, timeText } from './comment-words.ts'

/** Shows where a comment stands, what is said around it, and its author. */
export function CommentContext({ id, children }: { id: string; children?: ReactNode }) {
  const { site } = useZones()
  const { data, error } = useQuery(contextOf(id))
  if (data === undefined) {
    if (error !== null) return <Failure text={error.message} />
    return (
      <p role="status" className="loading">
        Loading the conversation…
      </p>
    )
  }
  const { comment, around, author } = data
  const address = siteAddress(comment)
  const reasons = comment.reports.map(({ reason }) => `“${reason}”`).join(', ')
  return (
    <>
      <h2 className="comments-caps">Where it stands</h2>
      <p className="comments-place">{placeText(comment)}</p>
      {address !== null && (
        <p className="meta">
          <a href={address} target="_blank" rel="noreferrer">
            On the site
          </a>
        </p>
      )}
      <ol className="comments-around">
        {around.map((each) => (
          <Around key={each.id} comment={each} isThis={each.id === comment.id} />
        ))}
      </ol>
      <h2 className="comments-caps">The author</h2>
      <p>
        {nameOf(author.name)}, {recordText(author, site)}
      </p>
      {comment.reports.length > 0 && (
        <p className="meta">
          {comment.reports.length === 1 ? '1 reader' : `${comment.reports.length} readers`} reported it:{' '}
          {reasons}.
        </p>
      )}
      {children}
    </>
  )
}

function Around({ comment, isThis }: { comment: DeskComment; isThis: boolean }) {
  const { site } = useZones()
  const now = useNow()
  return (
    <li className={isThis ? 'comments-this' : undefined} aria-current={isThis ? 'true' : undefined}>
      <p>
        <b>{nameOf(comment.author.name)}</b>{' '}
        <span className="meta">
          {timeText(comment.createdAt, now, site)}
          {comment.kind === 'thread' && ', in reply'}
          {(comment.hidden || comment.authorHidden) && ', hidden'}
        </span>
      </p>
      <p>{comment.content}</p>
    </li>
  )
}
