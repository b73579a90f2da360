import type { Decision } from './comment-calls.ts'

type Props = {
  ids: string[]
  of: number
  isPending: boolean
  onDecide: (decision: Decision) => void
  onNone: () => void
}

/** Decides about all comments that are chosen. */
export function ChosenBar({ ids, of, isPending, onDecide, onNone }: Props) {
  const all = ids.length === 1 ? 'it' : ids.length === 2 ? 'both' : `all ${ids.length}`
  return (
    <div className="comments-chosen">
      <b>{ids.length} chosen</b>
      <button
        type="button"
        className="filled"
        disabled={isPending}
        onClick={() => onDecide({ deed: 'hide', ids })}
      >
        Hide {all}
      </button>
      <button
        type="button"
        className="plain"
        disabled={isPending}
        onClick={() => onDecide({ deed: 'keep', ids })}
      >
        Keep {all}
      </button>
      <button type="button" className="plain quiet" onClick={onNone}>
        Choose none
      </button>
      <span className="meta">
        {ids.length} of {of}
      </span>
    </div>
  )
}
