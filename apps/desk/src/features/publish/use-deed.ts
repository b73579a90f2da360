import { useMutation } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { useRef } from 'react'
import { ApiError } from '#lib/api/call.ts'
import { newId } from '#lib/browser/ambient.ts'
import { carryOut, type Deed } from './publish-calls.ts'
import { currentOf } from './stale-edition.ts'
import { unsavedSubject, useTypedSubject } from './typed-subject.ts'

const statusNames = { draft: 'a draft', scheduled: 'scheduled', held: 'held', published: 'public' } as const

/**
 * Carries out what the editor chose, with the subject that isn't saved yet. A repetition after a lost reply has the same
 * key, so that it happens once.
 */
export function useDeed(
  seen: DeskEdition,
  { onDone, onRefused }: { onDone: () => void; onRefused: (current: DeskEdition) => void },
) {
  const [typed, setTyped] = useTypedSubject(seen)
  const sent = useRef({ request: '', id: '' })
  // A second click can come before the button is disabled.
  const isRunning = useRef(false)
  const { error, isPending, mutate } = useMutation({
    async mutationFn(deed: Deed) {
      const { edition, publishAt, deliver, subject } = deed
      const request = JSON.stringify([edition.version, publishAt, deliver, subject])
      if (sent.current.request !== request) sent.current = { request, id: newId() }
      return await carryOut(deed, sent.current.id)
    },
    onSuccess() {
      setTyped(null)
      onDone()
    },
    onSettled() {
      isRunning.current = false
    },
    onError(failure) {
      // A refused request may succeed later, so it must not repeat the refusal.
      if (failure instanceof ApiError) sent.current = { request: '', id: '' }
      const current = currentOf(failure)
      if (current !== null) onRefused(current)
    },
  })
  const isKnown = error instanceof ApiError && error.status < 500
  const failure =
    error === null || !isKnown
      ? (error?.message ?? null)
      : `${error.message} It is still ${statusNames[seen.status]}, and nothing is sent.`
  const carryOutOnce = (deed: Omit<Deed, 'subject'>) => {
    if (isRunning.current) return
    isRunning.current = true
    mutate({ ...deed, subject: unsavedSubject(typed, seen) })
  }
  return { failure, isRefused: isKnown, isPending, mutate: carryOutOnce }
}
