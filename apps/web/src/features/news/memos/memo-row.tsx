import { urlOf } from '@tidings/contracts/endpoint'
import { limits } from '@tidings/contracts/limits'
import { memoPicture } from '@tidings/contracts/routes'
import { correctedAt, formatCorrectionTime } from '@tidings/contracts/site/correction-line'
import { memo as memoize, useCallback, useRef, useState } from 'react'
import { Picture } from '#components/picture.tsx'
import { Prose } from '#components/prose.tsx'
import { pageView } from '#components/scroll/page-scroll.ts'
import { directionOf } from '#lib/prose/text-direction.ts'
import { type Memo, sourceHost } from '../memo.ts'
import { LikeButton } from './like-button.tsx'

type MemoRowProps = {
  memo: Memo
  edition: { date: string; slot: string }
  isOpen: boolean
  isRead: boolean
  /** Position in the staggered entrance, from 0. */
  position: number
  onToggle: (id: string) => void
}

/** Returns the id of a memo's row in the page. */
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
  const [wasRestored] = useState(isOpen)
  const title = useRef<HTMLButtonElement>(null)
  const isMarkedRead = isRead && !isOpen

  function closeFromEnd() {
    onToggle(memo.id)
    title.current?.focus({ preventScroll: true })
    title.current?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }

  return (
    <li
      className="memo"
      id={memoRowId(memo.id)}
      lang={memo.language}
      dir={directionOf(memo.language)}
      data-read={isRead}
      style={{ animationDelay: `${position * limits.staggerMs}ms` }}
    >
      <h2>
        <button
          type="button"
          className="memo-title"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          aria-describedby={isMarkedRead ? `${memoRowId(memo.id)}-read` : undefined}
          ref={title}
          onClick={() => onToggle(memo.id)}
        >
          <span id={`${memoRowId(memo.id)}-title`}>{memo.title}</span>
          <span className="memo-sign" aria-hidden="true" />
        </button>
      </h2>
      {isMarkedRead ? (
        <span id={`${memoRowId(memo.id)}-read`} hidden>
          Read
        </span>
      ) : null}
      <div className="memo-fold" id={bodyId} data-open={isOpen} data-restored={wasRestored} inert={!isOpen}>
        <div className="memo-fold-inside">
          {wasOpened ? <OpenMemo memo={memo} edition={edition} onClose={closeFromEnd} /> : null}
        </div>
      </div>
    </li>
  )
})

type OpenMemoProps = Pick<MemoRowProps, 'memo' | 'edition'> & { onClose: () => void }

function OpenMemo({ memo, edition, onClose }: OpenMemoProps) {
  const { isLong, measure } = useLongMemo()
  const titleId = `${memoRowId(memo.id)}-title`
  const host = sourceHost(memo)
  const picture = { date: edition.date, timestamp: edition.slot, file: memo.picture }
  return (
    <div className="memo-open" ref={measure}>
      {memo.caption === '' ? null : (
        <p className="memo-caption" dir="auto">
          {memo.caption}
        </p>
      )}
      {memo.picture === '' ? null : (
        <Picture
          urlOf={(width) => urlOf(memoPicture, { params: picture, query: { w: width } })}
          caption={memo.caption}
          alt={memo.alt}
          focus={memo.focus}
          describedBy={titleId}
        />
      )}
      {memo.pictureNote === null ? null : <Prose html={memo.pictureNote} className="memo-picture-note" />}
      <Prose html={memo.body} language={memo.language} />
      {memo.correction === null ? null : (
        <p className="memo-correction">
          {correctedAt}{' '}
          <time dateTime={memo.correction.at.toISOString()}>{formatCorrectionTime(memo.correction.at)}</time>:{' '}
          <bdi>{memo.correction.note}</bdi>
        </p>
      )}
      <div className="memo-actions">
        {host === null ? (
          <span />
        ) : (
          <a href={memo.source} target="_blank" rel="noopener noreferrer" aria-describedby={titleId}>
            Source: {host}
          </a>
        )}
        {isLong ? (
          <button type="button" className="memo-close" aria-describedby={titleId} onClick={onClose}>
            Close
          </button>
        ) : null}
        <LikeButton memo={memo} />
      </div>
    </div>
  )
}

/** Tells whether an open memo is taller than the page's view, so that its title is out of sight at its end. */
function useLongMemo() {
  const [isLong, setIsLong] = useState(false)
  const measure = useCallback((memo: HTMLElement | null) => {
    if (memo === null) return undefined
    const observer = new ResizeObserver(() => setIsLong(memo.offsetHeight > pageView().height))
    observer.observe(memo)
    return () => observer.disconnect()
  }, [])
  return { isLong, measure }
}
