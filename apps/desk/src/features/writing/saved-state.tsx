import { useSecond } from '#lib/time/use-second.ts'
import type { OpenText } from './open-text.ts'
import { savedWords } from './saved-words.ts'

type Props = { state: OpenText<object>['state']; isPublic: boolean }

/** Says whether the server has what was typed, and whether readers do. */
export function SavedState({ state, isPublic }: Props) {
  const text = savedWords(state, useSecond().getTime())
  const isSaved = state.phase === 'saved' && state.conflict === null
  return (
    <p className={isSaved || state.phase === 'saving' ? undefined : 'urgent'}>
      {isSaved && isPublic ? `${text}, not public` : text}
    </p>
  )
}
