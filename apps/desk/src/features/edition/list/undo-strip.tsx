import { Failure } from '#components/failure.tsx'
import type { Undo } from '../state/use-undo.ts'

/** Names the last deed, and takes it back. */
export function UndoStrip({ undo: { text, isPending, error, undo } }: { undo: Undo }) {
  if (text === null) return null
  return (
    <div className="strip edition-undo">
      <span role="status">{text}</span>
      <button type="button" className="edition-word" disabled={isPending} onClick={undo}>
        Undo
      </button>
      <Failure text={error?.message ?? null} canClose />
    </div>
  )
}
