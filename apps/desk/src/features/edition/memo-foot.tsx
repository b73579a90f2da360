import { useSecond } from '#lib/time/use-second.ts'
import { savedWords } from './edition-words.ts'
import { countWords } from './memo-fields.ts'
import { wordsText } from './memo-rows.ts'
import type { OpenMemo } from './use-draft.ts'

type Props = { open: OpenMemo; canWrite: boolean; isPublished: boolean }

const usual = { from: 90, to: 130, most: 200 }

/** The saved state, the words, and whether the memo is ready. */
export function MemoFoot({ open: { draft, state }, canWrite, isPublished }: Props) {
  const words = countWords(state.text.memo_content)
  const { ready } = state.text
  return (
    <footer className="edition-foot">
      <SavedState state={state} isPublished={isPublished} />
      <p className="edition-gauge">
        {wordsText(words)}
        <meter
          min={0}
          max={usual.most}
          low={usual.from}
          high={usual.to}
          value={Math.min(words, usual.most)}
          aria-hidden="true"
        />
        <span className="meta">{`${usual.from} to ${usual.to} is usual`}</span>
      </p>
      {canWrite && !isPublished && (
        <button type="button" className="edition-word" onClick={() => draft.type({ ready: !ready })}>
          {ready ? 'Not ready' : 'Mark as ready'}
        </button>
      )}
    </footer>
  )
}

function SavedState({ state, isPublished }: { state: OpenMemo['state']; isPublished: boolean }) {
  const text = savedWords(state, useSecond())
  const isSaved = state.phase === 'saved' && state.conflict === null
  return (
    <p className={isSaved || state.phase === 'saving' ? 'edition-saved' : 'edition-saved urgent'}>
      {isSaved && isPublished ? `${text}, not public` : text}
    </p>
  )
}
