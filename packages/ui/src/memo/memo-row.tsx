import { type ReactNode, useCallback, useRef, useState } from 'react'
import { Picture } from '../picture/picture.tsx'
import { Prose } from '../prose/prose.tsx'
import type { ShownMemo } from './shown-memo.ts'

type MemoRowProps = {
  memo: ShownMemo
  isOpen: boolean
  isRead: boolean
  /** The delay of its entrance. */
  entranceMs: number
  onToggle: (id: string) => void
  /** Returns the height of the view in which the page scrolls. */
  viewHeight: () => number
  /** Stands at the end of the open memo. */
  like: ReactNode
}

/** Returns the id of a memo's row in the page. */
export function memoRowId(memoId: string): string {
  return `memo-${memoId}`
}

/** One row of the list: the title, and the rest of the memo once a tap has opened it. */
export function MemoRow({ memo, isOpen, isRead, entranceMs, onToggle, viewHeight, like }: MemoRowProps) {
  const rowId = memoRowId(memo.id)
  const bodyId = `${rowId}-body`
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
      id={rowId}
      lang={memo.language}
      dir={memo.dir}
      data-read={isRead}
      style={{ animationDelay: `${entranceMs}ms` }}
    >
      <h2>
        <button
          type="button"
          className="memo-title"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          aria-describedby={isMarkedRead ? `${rowId}-read` : undefined}
          ref={title}
          onClick={() => onToggle(memo.id)}
        >
          <span id={`${rowId}-title`}>{memo.title}</span>
          <span className="memo-sign" aria-hidden="true" />
        </button>
      </h2>
      {isMarkedRead ? (
        <span id={`${rowId}-read`} hidden>
          Read
        </span>
      ) : null}
      <div className="memo-fold" id={bodyId} data-open={isOpen} data-restored={wasRestored} inert={!isOpen}>
        <div className="memo-fold-inside">
          {wasOpened ? (
            <OpenMemo memo={memo} onClose={closeFromEnd} viewHeight={viewHeight} like={like} />
          ) : null}
        </div>
      </div>
    </li>
  )
}

type OpenMemoProps = Pick<MemoRowProps, 'memo' | 'viewHeight' | 'like'> & { onClose: () => void }

function OpenMemo({ memo, viewHeight, like, onClose }: OpenMemoProps) {
  const { isLong, measure } = useLongMemo(viewHeight)
  const titleId = `${memoRowId(memo.id)}-title`
  const { caption, picture, correction, source } = memo
  return (
    <div className="memo-open" ref={measure}>
      {caption === '' ? null : (
        <p className="memo-caption" dir="auto">
          {caption}
        </p>
      )}
      {picture === null ? null : (
        <Picture source={picture} caption={caption} alt={memo.alt} focus={memo.focus} describedBy={titleId} />
      )}
      {memo.pictureNote === null ? null : <Prose html={memo.pictureNote} className="memo-picture-note" />}
      <Prose html={memo.body} dir={memo.dir} />
      {correction === null ? null : (
        <p className="memo-correction">
          {correction.label} <time dateTime={correction.dateTime}>{correction.time}</time>:{' '}
          <bdi>{correction.note}</bdi>
        </p>
      )}
      <div className="memo-actions">
        {source === null ? (
          <span />
        ) : (
          <a href={source.url} target="_blank" rel="noopener noreferrer" aria-describedby={titleId}>
            Source: {source.host}
          </a>
        )}
        {isLong ? (
          <button type="button" className="memo-close" aria-describedby={titleId} onClick={onClose}>
            Close
          </button>
        ) : null}
        {like}
      </div>
    </div>
  )
}

/** Tells whether an open memo is taller than the page's view, so that its title is out of sight at its end. */
function useLongMemo(viewHeight: () => number) {
  const [isLong, setIsLong] = useState(false)
  const measure = useCallback(
    (memo: HTMLElement | null) => {
      if (memo === null) return undefined
      const observer = new ResizeObserver(() => setIsLong(memo.offsetHeight > viewHeight()))
      observer.observe(memo)
      return () => observer.disconnect()
    },
    [viewHeight],
  )
  return { isLong, measure }
}
