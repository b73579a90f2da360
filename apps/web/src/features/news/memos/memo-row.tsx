import { limits } from '@tidings/contracts/limits'
import { memo as memoize, useState } from 'react'
import { Prose } from '#components/prose.tsx'
import { LikeButton } from './like-button.tsx'
import type { Memo } from './memo.ts'
import { MemoPicture } from './memo-picture.tsx'

type MemoRowProps = {
  memo: Memo
  edition: { date: string; slot: string }
  isOpen: boolean
  isRead: boolean
  /** Position in the staggered entrance, from 0. */
  position: number
  onToggle: (id: string) => void
}

/** Id of a memo's row in the page. */
export function memoRowId(memoId: string): string {
  return `memo-${memoId}`
}

/** One row of the list: the title, and the rest of the memo once a tap has opened it. */
export const MemoRow = memoize(function MemoRow({
  memo,
  edition,
  isOpen,
  isRead,
  position,
  onToggle,
}: MemoRowProps) {
  const bodyId = `${memoRowId(memo.id)}-body`
  // An opened body stays in the page, so that closing animates its height too.
  const [wasOpened, setWasOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setWasOpened(true)
  return (
    <li
      className="memo"
      id={memoRowId(memo.id)}
      lang={memo.language}
      dir="auto"
      data-read={isRead}
      style={{ animationDelay: `${position * limits.staggerMs}ms` }}
    >
      <h2>
        <button
          type="button"
          className="memo-title"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => onToggle(memo.id)}
        >
          <span id={`${memoRowId(memo.id)}-title`}>{memo.title}</span>
          <span className="memo-sign" aria-hidden="true" />
        </button>
      </h2>
      <div className="memo-fold" id={bodyId} data-open={isOpen} inert={!isOpen}>
        <div className="memo-fold-inside">
          {wasOpened ? <OpenMemo memo={memo} edition={edition} /> : null}
        </div>
      </div>
    </li>
  )
})

function OpenMemo({ memo, edition }: Pick<MemoRowProps, 'memo' | 'edition'>) {
  return (
    <div className="memo-open">
      {memo.caption === '' ? null : (
        <p className="memo-caption" dir="auto">
          {memo.caption}
        </p>
      )}
      {memo.picture === '' ? null : (
        <MemoPicture memo={memo} edition={edition} titleId={`${memoRowId(memo.id)}-title`} />
      )}
      {memo.pictureNote === null ? null : <Prose html={memo.pictureNote} className="memo-picture-note" />}
      <Prose html={memo.body} />
      <div className="memo-actions">
        {memo.source === '' ? (
          <span />
        ) : (
          <a
            href={memo.source}
            target="_blank"
            rel="noopener noreferrer"
            aria-describedby={`${memoRowId(memo.id)}-title`}
          >
            Source
          </a>
        )}
        <LikeButton memo={memo} />
      </div>
    </div>
  )
}
