import { useState } from 'react'
import type { MemoRow } from '../state/memo-rows.ts'
import { DeleteDialog, MoveDialog } from './memo-dialogs.tsx'

type Props = {
  editionKey: string
  row: MemoRow
  isFirst: boolean
  isLast: boolean
  move: (by: -1 | 1) => void
  /** Called once the memo is in another edition. */
  onGone: () => void
  onDeleted: () => void
}

/** Moves the open memo in its edition or to another one, or deletes it. */
export function MemoActions({ editionKey, row, isFirst, isLast, move, onGone, onDeleted }: Props) {
  const [dialog, setDialog] = useState<'none' | 'move' | 'delete'>('none')
  const isPublic = row.state === 'Public' || row.state === 'Changed'
  const close = () => setDialog('none')
  return (
    <div className="edition-actions">
      <button
        type="button"
        className="edition-word"
        aria-keyshortcuts="Alt+ArrowUp"
        disabled={isFirst}
        onClick={() => move(-1)}
      >
        Move up
      </button>
      <button
        type="button"
        className="edition-word"
        aria-keyshortcuts="Alt+ArrowDown"
        disabled={isLast}
        onClick={() => move(1)}
      >
        Move down
      </button>
      {!isPublic && (
        <details className="edition-more" name="more">
          <summary>More…</summary>
          <div>
            <button type="button" className="edition-word" onClick={() => setDialog('move')}>
              Move to another edition
            </button>
            <button type="button" className="edition-word" onClick={() => setDialog('delete')}>
              Delete
            </button>
          </div>
        </details>
      )}
      {dialog === 'move' && <MoveDialog editionKey={editionKey} row={row} close={close} onGone={onGone} />}
      {dialog === 'delete' && <DeleteDialog row={row} close={close} onDeleted={onDeleted} />}
    </div>
  )
}
