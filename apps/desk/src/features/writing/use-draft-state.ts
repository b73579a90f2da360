import { startTransition, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { afterFrame } from '#lib/browser/after-frame.ts'
import { currentTime } from '#lib/browser/ambient.ts'
import { after } from '#lib/browser/timer.ts'
import type { DraftState } from '#lib/saving/draft-state.ts'
import type { TextDraft } from '#lib/saving/text-draft.ts'
import type { WrittenText } from './open-text.ts'

// Of keys that come fast, every second or third is followed. The phone preview may be 300 ms behind.
const closestMs = 130
const longestMs = 230

type Watched<Text extends object> = Pick<TextDraft<Text>, 'getState' | 'subscribe'>

/**
 * Returns the state of a draft. What is typed comes a moment later, so that lists and previews never hold up a key; fields
 * need `useFieldState`. All else, such as the word of the server, comes at once.
 */
export function useDraftState<Text extends object>(draft: Watched<Text> | null): DraftState<Text> | null {
  const [shown, setShown] = useState(() => stateOf(draft))
  useEffect(() => {
    let last = draft?.getState()
    const { request, cancel } = spaced(() => {
      last = draft?.getState()
      startTransition(() => setShown(stateOf(draft)))
    })
    request('now')
    const unsubscribe = draft?.subscribe(() => {
      request(isSameExcept(last ?? {}, draft.getState(), ['text', 'keptAt']) ? 'soon' : 'now')
    })
    return () => {
      cancel()
      unsubscribe?.()
    }
  }, [draft])
  return shown.draft === draft ? shown.state : stateOf(draft).state
}

/** Returns the state of a draft at once, to say whether it is saved. Its text may be older. */
export function useSavedState(draft: Watched<object>): DraftState<object> {
  return useLatest(draft, (one, other) => isSameExcept(one, other, namesUnsaid(one)))
}

/** Each key is kept on the device, which is said only when the server doesn’t get it. */
function namesUnsaid({ phase }: DraftState<object>): string[] {
  return phase === 'saving' || phase === 'saved' ? ['text', 'keptAt'] : ['text']
}

/** Returns the state of a draft at once, for its fields. The rich text is left out: its editor has it already. */
export function useFieldState<Text extends WrittenText>(draft: Watched<Text>): DraftState<Text> {
  return useLatest(
    draft,
    (one, other) => one.resets === other.resets && isSameExcept(one.text, other.text, ['memo_content']),
  )
}

function useLatest<Text extends object>(
  draft: Watched<Text>,
  isSame: (one: DraftState<Text>, other: DraftState<Text>) => boolean,
): DraftState<Text> {
  const last = useRef(draft.getState())
  return useSyncExternalStore(draft.subscribe, () => {
    const next = draft.getState()
    if (!isSame(last.current, next)) last.current = next
    return last.current
  })
}

/**
 * Runs it at a request, or after the frame that shows a key, so that it is done before the next key. Of keys that come
 * fast, some are passed over, but never the last one.
 */
function spaced(run: () => void): { request: (when: 'now' | 'soon') => void; cancel: () => void } {
  let ranAt = 0
  let isAfterFrame = false
  let isWaiting = false
  let cancel = () => {}
  const runNow = () => {
    cancel()
    isAfterFrame = false
    isWaiting = false
    ranAt = currentTime()
    run()
  }
  const request = (when: 'now' | 'soon') => {
    if (when === 'now') {
      runNow()
      return
    }
    // The clock of the device may have been set back since.
    const ago = Math.abs(currentTime() - ranAt)
    if (ago >= closestMs && !isAfterFrame) {
      cancel()
      isAfterFrame = true
      cancel = afterFrame(runNow)
    } else if (!isAfterFrame && !isWaiting) {
      isWaiting = true
      cancel = after(longestMs - ago, runNow)
    }
  }
  return { request, cancel: () => cancel() }
}

function stateOf<Text extends object>(draft: Watched<Text> | null) {
  return { draft, state: draft?.getState() ?? null }
}

function isSameExcept(one: object, other: object, names: readonly string[]): boolean {
  const values = new Map<string, unknown>(Object.entries(other))
  return Object.entries(one).every(([name, value]) => names.includes(name) || values.get(name) === value)
}
