import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FormSubmission } from '#components/forms/use-submission.ts'
import type { Leaving } from './leave-question.tsx'

type Saving = {
  form: FormSubmission
  isUnsaved: boolean
  /** Resolves to whether everything was saved. */
  submit: () => Promise<boolean>
}

/** Saves before the member leaves, after what is being saved already. What can't be saved stays, with the focus. */
export function useSaveAndLeave({ form, isUnsaved, submit }: Saving) {
  const [isSaving, setSaving] = useState(false)
  const waiting = useRef<Leaving | null>(null)

  async function leave({ proceed, reset }: Leaving): Promise<void> {
    const isSaved = !isUnsaved || (await submit())
    setSaving(false)
    if (isSaved) return proceed()
    reset()
    // The question that had the focus is gone.
    if (document.activeElement === document.body) document.getElementById(form.actionId)?.focus()
  }

  const leaveAfterSaving = useEffectEvent(() => {
    const leaving = waiting.current
    waiting.current = null
    if (leaving !== null) void leave(leaving)
  })
  useEffect(() => {
    if (!form.isBusy) leaveAfterSaving()
  }, [form.isBusy])

  return {
    isSaving,
    saveAndLeave(leaving: Leaving): void {
      // Fields that can't be saved get the focus, which an open question would keep.
      flushSync(() => setSaving(true))
      if (form.isBusy) waiting.current = leaving
      else void leave(leaving)
    },
  }
}
