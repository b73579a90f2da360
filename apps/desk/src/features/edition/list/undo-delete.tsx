import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Failure } from '#components/failure.tsx'
import { after } from '#lib/browser/timer.ts'
import { restoreMemo } from '../state/edition-calls.ts'
import type { MemoRow } from '../state/memo-rows.ts'

const undoMs = 10_000

type Props = { memo: MemoRow; onRestored: () => void; close: () => void }

/** Offers for ten seconds to bring a deleted memo back. */
export function UndoDelete({ memo: { id, title }, onRestored, close }: Props) {
  const undo = useMutation({ mutationFn: () => restoreMemo(id), onSuccess: onRestored })
  const isWaiting = undo.isIdle
  useEffect(() => (isWaiting ? after(undoMs, close) : undefined), [isWaiting, close])
  return (
    <div className="edition-strip" role="status">
      <span>{title === '' ? 'Deleted a memo without title.' : `Deleted “${title}”.`}</span>
      <button type="button" className="edition-word" disabled={undo.isPending} onClick={() => undo.mutate()}>
        Undo
      </button>
      <Failure text={undo.error?.message ?? null} />
    </div>
  )
}
