import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { InitialsIn } from '#features/presence/initials.tsx'
import { wordsText } from '#features/writing/plain-text.ts'
import type { MemoRow } from '../state/memo-rows.ts'
import { useDragging } from './dragging.ts'

type Props = {
  editionKey: string
  rows: readonly MemoRow[]
  openId: string | null
  /** Stands below the last memo. */
  end: ReactNode
  /** Shown in the row of the open memo. */
  actions: ReactNode
  /** Null if the person may not move memos. */
  onDrop: ((from: number, to: number) => void) | null
}

/** The memos of an edition in order. The open one can be dragged. */
export function MemoList({ rows, openId, end, actions, ...rest }: Props) {
  return (
    <div className="edition-list">
      <ol className="edition-memos">
        {rows.map((row, place) => (
          <Row
            key={row.id}
            row={row}
            place={place}
            isOpen={row.id === openId}
            actions={row.id === openId && actions}
            {...rest}
          />
        ))}
      </ol>
      {end}
    </div>
  )
}

type RowProps = Pick<Props, 'editionKey' | 'actions' | 'onDrop'> & {
  row: MemoRow
  place: number
  isOpen: boolean
}

function Row({ editionKey, row, place, isOpen, actions, onDrop }: RowProps) {
  const item = useRef<HTMLLIElement>(null)
  const grip = useRef<HTMLSpanElement>(null)
  const hasGrip = isOpen && onDrop !== null
  const edge = useDragging({ row: item, grip, place, hasGrip, onDrop: onDrop ?? nothing })
  const classes = ['edition-memo', isOpen && 'edition-open', edge !== null && `edition-drop-${edge}`]
  return (
    <li ref={item} className={classes.filter(Boolean).join(' ')}>
      {hasGrip ? (
        <span ref={grip} className="edition-grip" title="Drag to move" aria-hidden="true">
          <svg width="10" height="16" aria-hidden="true">
            <path d="M2 2v.1M8 2v.1M2 8v.1M8 8v.1M2 14v.1M8 14v.1" />
          </svg>
        </span>
      ) : (
        <span className="edition-place" aria-hidden="true">
          {place + 1}
        </span>
      )}
      <div>
        <Link
          to="/editions/$key/memos/$id"
          params={{ key: editionKey, id: row.id }}
          aria-current={isOpen ? 'page' : undefined}
          className="edition-title"
          draggable={false}
        >
          {row.title === '' ? <i>No title yet</i> : row.title}
        </Link>
        <div className="edition-row-foot">
          <p className="meta">
            <span className={`edition-dot edition-dot-${row.state.toLowerCase()}`} aria-hidden="true" />{' '}
            {row.state} · {wordsText(row.words)}
            {row.picture === 'picture' && ' · picture'}
            {row.picture === 'no alt text' && (
              <>
                {' · '}
                <span className="urgent">no alt text</span>
              </>
            )}
          </p>
          <InitialsIn kind="memo" id={row.id} />
        </div>
        {actions}
      </div>
    </li>
  )
}

function nothing(): void {}
