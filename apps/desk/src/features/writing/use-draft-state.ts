import { startTransition, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { currentTime } from '#lib/browser/ambient.ts'
import { after } from '#lib/browser/timer.ts'
import type { DraftState } from '#lib/saving/draft-state.ts'
import type { TextDraft } from '#lib/saving/text-draft.ts'
import type { WrittenText } from './open-text.ts'

// Long enough for the frame that shows a key, and before the next one.
const frameMs = 40
// Of keys that come fast, every second or third is followed. The phone preview may be 300 ms behind.
const closestMs = 150
const longestMs = 200

type Watched<Text extends object> = Pick<TextDraft<Text>, 'getState' | 'subscribe'>

/**
 * Returns the state of a draft a moment after it changed, so that lists and previews never hold up a key. Fields that are
 * typed in need `useFieldState`.
 */
export function useDraftState<Text extends object>(draft: Watched<Text> | null): DraftState<Text> | null {
  const [shown, setShown] = useState(() => stateOf(draft))
  useEffect(() => {
    const { request, cancel } = spaced(() => startTransition(() => setShown(stateOf(draft))))
    request()
    const unsubscribe = draft?.subscribe(request)
    return () => {
      cancel()
      unsubscribe?.()
    }
  }, [draft])
  return shown.draft === draft ? shown.state : stateOf(draft).state
}

/** Returns the state of a draft at once, for its fields. The rich text is left out: its editor has it already. */
export function useFieldState<Text extends WrittenText>(draft: Watched<Text>): DraftState<Text> {
  const last = useRef(draft.getState())
  return useSyncExternalStore(draft.subscribe, () => {
    const next = draft.getState()
    if (!hasSameFields(last.current, next)) last.current = next
    return last.current
  })
}

/** Runs it soon after a request, which may be a key, but not after each of many. The last one is always followed. */
function spaced(run: () => void): { request: () => void; cancel: () => void } {
  let ranAt = 0
  let dueAt = Number.POSITIVE_INFINITY
  let cancel = () => {}
  const request = () => {
    const now = currentTime()
    const isFree = now - ranAt >= closestMs
    const nextAt = isFree ? now + frameMs : ranAt + longestMs
    if (nextAt >= dueAt) return
    dueAt = nextAt
    cancel()
    cancel = after(nextAt - now, () => {
      dueAt = Number.POSITIVE_INFINITY
      ranAt = currentTime()
      run()
    })
  }
  return { request, cancel: () => cancel() }
}

function stateOf<Text extends object>(draft: Watched<Text> | null) {
  return { draft, state: draft?.getState() ?? null }
}

function hasSameFields<Text extends WrittenText>(one: DraftState<Text>, other: DraftState<Text>): boolean {
  if (one.resets !== other.resets) return false
  const values = new Map<string, unknown>(Object.entries(other.text))
  return Object.entries(one.text).every(
    ([name, value]) => name === 'memo_content' || values.get(name) === value,
  )
}
