import { useEffect, useRef } from 'react'
import { SignInForm } from '#features/sign-in/sign-in-form.tsx'

/** Asks the person to sign in again over the screen, whose content stays. */
export function SessionDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby="session-title" onCancel={(event) => event.preventDefault()}>
      <h2 id="session-title">Sign in again</h2>
      <p>Your session has ended. What you see and typed stays here.</p>
      <SignInForm />
    </dialog>
  )
}
