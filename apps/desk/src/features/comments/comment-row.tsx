import type { DeskComment } from '@tidings/contracts/desk/comments'
import { type ReactNode, useEffect, useRef } from 'react'
import { useNow } from '#lib/time/use-now.ts'
import { authorText, hiddenText, placeText, reportText } from './comment-words.ts'

type Props = {
  comment: DeskComment
  isOpen: boolean
  isChosen: boolean
  /** Null for those who only read. */
  onChoose: (() => void) | null
  onOpen: () => void
  children?: ReactNode
}

/** One comment of the list: its words, its author, its place, and the reports about it. */
export function CommentRow({ comment, isOpen, isChosen, onChoose, onOpen, children }: Props) {
  const row = useRef<HTMLLIElement>(null)
  const now = useNow()
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  const reports = reportText(comment)
  const hidden = hiddenText(comment)
  return (
    <li ref={row} className={isOpen || isChosen ? 'comments-row comments-row-open' : 'comments-row'}>
      {onChoose !== null && (
        <label className="comments-choose">
          <input
            type="checkbox"
            checked={isChosen}
            onChange={onChoose}
            aria-label={`Choose: ${comment.content}`}
          />
        </label>
      )}
      <div className="comments-body">
        <button type="button" className="comments-words" aria-expanded={isOpen} onClick={onOpen}>
          {comment.content}
        </button>
        <p className="meta">
          {authorText(comment.author, now)} · under “{placeText(comment)}”
          {reports !== '' && (
            <>
              {' · '}
              <span className="urgent">{reports}</span>
            </>
          )}
          {hidden !== '' && ` · ${hidden}`}
        </p>
        {children}
      </div>
    </li>
  )
}
