import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { SignInForm } from '#features/sign-in/sign-in-form.tsx'
import { wordsToCopy } from '#features/writing/words-to-copy.ts'
import { readUnsaved } from '#lib/saving/local-copies.ts'

/** Asks the person to sign in again over the screen, whose content stays. */
export function SessionDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby="session-title"
      className="session"
      onCancel={(event) => event.preventDefault()}
    >
      <h2 id="session-title">You were signed out.</h2>
      <p className="session-note">
        Your text is here, on this device. Sign in, and it is saved where you left it.
      </p>
      <SignInForm beside={<CopyMyText />} />
    </dialog>
  )
}

/** Copies what this tab couldn’t save, so that it can be put anywhere. Nothing if all is saved. */
function CopyMyText() {
  const unsaved = useQuery({ queryKey: ['unsaved'], queryFn: readUnsaved, refetchInterval: 1_000, gcTime: 0 })
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'failed'>('none')
  const text = wordsToCopy((unsaved.data ?? []).map(({ words }) => words))
  if (text === '') return null
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      setOutcome('failed')
    }
  }
  return (
    <>
      <button type="button" className="plain quiet" onClick={() => void copy()}>
        Copy my text
      </button>
      <span role="status" className="meta">
        {outcome === 'copied' && 'Copied.'}
      </span>
      <Failure
        text={
          outcome === 'failed' ? 'The browser didn’t let the desk copy. The text stays on this device.' : null
        }
      />
    </>
  )
}
