import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useServices } from '#lib/services/services.tsx'

/** The two ways to end the question. */
export type Leaving = { proceed: () => void; reset: () => void }

/**
 * Asks before changes are left: on the way to another screen, before a logout or another site's page, and when the page
 * closes. Returns the question that is open.
 */
export function useLeaving(isUnsaved: boolean) {
  const { leaveGuard } = useServices()
  const [own, setOwn] = useState<Leaving | null>(null)
  const shouldBlockFn = useCallback(
    ({ current, next, action }: { current: Place; next: Place; action: string }) => {
      // The router can't go back from an address that was typed. What was changed stays in this tab.
      const isTyped = action === 'GO' && window.history.state === null
      return !isTyped && current.pathname !== next.pathname
    },
    [],
  )
  const enableBeforeUnload = useCallback(() => !leaveGuard.isLeaving(), [leaveGuard])
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn,
    enableBeforeUnload,
    disabled: !isUnsaved,
    withResolver: true,
  })

  const ask = useEffectEvent((): Promise<boolean> => {
    if (!isUnsaved) return Promise.resolve(true)
    return new Promise((resolve) => {
      const answer = (isLeaving: boolean) => () => {
        setOwn(null)
        resolve(isLeaving)
      }
      setOwn({ proceed: answer(true), reset: answer(false) })
    })
  })
  useEffect(() => leaveGuard.guard(() => ask()), [leaveGuard])

  const blocked = status === 'blocked' ? { proceed, reset } : null
  return { question: blocked ?? own }
}

type Place = { pathname: string }

type LeaveQuestionProps = { onSave: () => void; onDiscard: () => void; onStay: () => void }

/** Asks whether to save or discard the changes. */
export function LeaveQuestion({ onSave, onDiscard, onStay }: LeaveQuestionProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="leave-question" aria-labelledby={titleId} onClose={onStay}>
      <h2 id={titleId}>Save your changes?</h2>
      <p>You changed something here and haven’t saved it yet.</p>
      <button type="button" className="button" onClick={onSave}>
        Save and leave
      </button>
      <button type="button" className="link" onClick={onDiscard}>
        Leave without saving
      </button>
      {/* Closing returns the focus to what had it. */}
      <button type="button" className="link" onClick={() => dialog.current?.close()}>
        Stay here
      </button>
    </dialog>
  )
}
