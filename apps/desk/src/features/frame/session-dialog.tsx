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
      <h2 id="session-title">You were signed out.</h2>
      <p>Your text is here, on this device. Sign in, and it is saved where you left it.</p>
      <SignInForm />
    </dialog>
  )
}
