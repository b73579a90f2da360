import { useSecond } from '#lib/time/use-second.ts'
import type { OpenText } from './open-text.ts'
import { savedWords } from './saved-words.ts'
import { useSavedState } from './use-draft-state.ts'

type Props = { draft: OpenText<object>['draft']; isPublic: boolean }

/** Says whether the server has what was typed, and whether readers do. */
export function SavedState({ draft, isPublic }: Props) {
  const state = useSavedState(draft)
  const text = savedWords(state, useSecond().getTime())
  const isSaved = state.phase === 'saved' && state.conflict === null
  return (
    <p className={isSaved || state.phase === 'saving' ? undefined : 'urgent'}>
      {isSaved && isPublic ? `${text}, not public` : text}
    </p>
  )
}
