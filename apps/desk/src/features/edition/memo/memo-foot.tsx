import { countWords, wordsText } from '#features/writing/plain-text.ts'
import { SavedState } from '#features/writing/saved-state.tsx'
import type { OpenMemo } from '../state/use-draft.ts'

type Props = { open: OpenMemo; canWrite: boolean; isPublished: boolean }

const usual = { from: 90, to: 130, most: 200 }

/** The saved state, the words, and whether the memo is ready. */
export function MemoFoot({ open: { draft, state }, canWrite, isPublished }: Props) {
  const words = countWords(state.text.memo_content)
  const { ready } = state.text
  return (
    <footer className="edition-foot">
      <SavedState state={state} isPublic={isPublished} />
      <p className="edition-gauge">
        {wordsText(words)}
        <svg width={usual.most / 2} height="12" aria-hidden="true">
          <path d={`M0 6h${usual.most / 2}`} />
          <path className="edition-usual" d={`M${usual.from / 2} 6H${usual.to / 2}`} />
          <path className="edition-here" d={`M${Math.min(words, usual.most - 4) / 2 + 1} 0v12`} />
        </svg>
        <span className="meta">{`${usual.from} to ${usual.to} is usual`}</span>
      </p>
      {canWrite && !isPublished && (
        <button
          type="button"
          className="edition-word"
          aria-keyshortcuts="R"
          onClick={() => draft.type({ ready: !ready })}
        >
          {ready ? 'Not ready' : 'Mark as ready'}
        </button>
      )}
    </footer>
  )
}
