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
  // Words that the device keeps need no decision: they are saved by themselves.
  const isUrgent = state.conflict !== null || state.phase === 'refused' || text === 'Not saved yet'
  const className = isUrgent ? 'saved-state urgent' : 'saved-state'
  return (
    <p className={isSaved || state.phase === 'saving' ? className : `${className} saved-not`}>
      {isSaved && isPublic ? `${text}, not public` : text}
    </p>
  )
}
