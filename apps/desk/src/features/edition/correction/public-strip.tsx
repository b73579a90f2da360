import { Failure } from '#components/failure.tsx'
import type { MemoRow } from '../state/memo-rows.ts'
import type { OpenMemo } from '../state/use-draft.ts'
import { membersText } from './correction-calls.ts'
import type { Correction } from './use-correction.ts'

type Props = { open: OpenMemo; row: MemoRow; correction: Correction; canPublish: boolean }

/** Says whether readers have what was written in a memo, and publishes or discards it. */
export function PublicStrip({ open: { draft, state }, row, correction, canPublish }: Props) {
  const isPrivate = row.state === 'Private'
  const isSaved = state.phase === 'saved' && state.conflict === null && draft.isSaved()
  // Words of others are neither published nor dropped before the person has seen them.
  const canAct = isSaved && draft.isShown()
  if (row.state === 'Public' && draft.isSaved()) return <SentStrip correction={correction} />
  return (
    <div className="strip">
      <p>
        {isPrivate ? 'This memo isn’t public yet.' : 'This memo is public. Your changes are not.'}
        {!canPublish && ' Writers don’t publish. Mark the memos as ready.'}
      </p>
      <Failure text={correction.failure} canClose />
      {!isPrivate && (
        <button
          type="button"
          className="edition-quiet"
          disabled={!canAct || correction.isPending}
          onClick={correction.discard}
        >
          Discard
        </button>
      )}
      {canPublish && (
        <button
          type="button"
          className="filled"
          disabled={!canAct || correction.isPending}
          onClick={correction.publish}
        >
          {isPrivate ? 'Publish memo' : 'Publish correction'}
        </button>
      )}
    </div>
  )
}

/** Says to how many members a correction goes, or that it is public and wasn't sent. */
function SentStrip({ correction: { sent, sendAgain, sendError, isPending } }: { correction: Correction }) {
  if (sendAgain !== null && sendError !== null)
    return (
      <div className="strip">
        <Failure text={`The correction is public, and nothing is sent. ${sendError.message}`} canClose />
        <button type="button" disabled={isPending} onClick={sendAgain}>
          Send it again
        </button>
      </div>
    )
  if (sent?.note === null || sent === null) return null
  const { sent: done, waiting } = sent.note
  return (
    <p className="strip" role="status">
      The correction is public. It goes to {membersText(done + waiting)}.
    </p>
  )
}
