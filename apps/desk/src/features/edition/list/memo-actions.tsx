import { useRef, useState } from 'react'
import type { MemoRow } from '../state/memo-rows.ts'
import { DeleteDialog, MoveDialog } from './memo-dialogs.tsx'

type Props = {
  editionKey: string
  row: MemoRow
  isFirst: boolean
  isLast: boolean
  move: (by: -1 | 1) => void
  copy: () => void
  showOrders: () => void
  /** Called once the memo is in another edition. */
  onMoved: (to: string, version: number) => void
  onDeleted: () => void
}

/** Moves the open memo in its edition or to another one, copies or deletes it. */
export function MemoActions({ editionKey, row, isFirst, isLast, onMoved, onDeleted, ...deeds }: Props) {
  const { move, copy, showOrders } = deeds
  const [dialog, setDialog] = useState<'none' | 'move' | 'delete'>('none')
  const more = useRef<HTMLDetailsElement>(null)
  const isPublic = row.state === 'Public' || row.state === 'Changed'
  const close = () => setDialog('none')
  const choose = (deed: () => void) => () => {
    if (more.current !== null) more.current.open = false
    deed()
  }
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
      <details ref={more} className="edition-more" name="more">
        <summary>More…</summary>
        <div>
          <button type="button" className="edition-word" onClick={choose(copy)}>
            Copy
          </button>
          {!isPublic && (
            <>
              <button type="button" className="edition-word" onClick={choose(() => setDialog('move'))}>
                Move to another edition
              </button>
              <button type="button" className="edition-word" onClick={choose(() => setDialog('delete'))}>
                Delete
              </button>
            </>
          )}
          <button type="button" className="edition-word" onClick={choose(showOrders)}>
            Earlier orders
          </button>
        </div>
      </details>
      {dialog === 'move' && <MoveDialog editionKey={editionKey} row={row} close={close} onMoved={onMoved} />}
      {dialog === 'delete' && <DeleteDialog row={row} close={close} onDeleted={onDeleted} />}
    </div>
  )
}
