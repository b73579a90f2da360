import '#styles/account.css'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { mainId, Screen } from '#components/screen.tsx'
import { useEarlyClient } from '#lib/member/use-session.ts'
import { CodeStep } from './reset-code-step.tsx'
import { ResetDone } from './reset-done.tsx'
import { EmailStep } from './reset-email-step.tsx'

const titles = { email: 'Forgot password', code: 'Check your email', done: 'Password changed' } as const

/** Sets a new password with a code by email, in two steps. The step is in the history entry: going back works. */
export function ResetPasswordScreen() {
  const { codeSentTo, email = '', from, resetMessage } = useLocation().state
  const step = codeSentTo === undefined ? 'email' : resetMessage === undefined ? 'code' : 'done'
  const shown = useRef(step)
  useEarlyClient()

  // The address stays the same, so the router does not focus the next step as it does a new screen.
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    document.getElementById(mainId)?.focus({ preventScroll: true })
  }, [step])

  return (
    <Screen title={titles[step]} className="entrance">
      {codeSentTo === undefined ? (
        <EmailStep />
      ) : resetMessage === undefined ? (
        <CodeStep email={codeSentTo} />
      ) : (
        <ResetDone message={resetMessage} />
      )}
      {step !== 'done' && (
        <nav className="foot-links" aria-label="Elsewhere">
          <Link to="/account/login" state={{ email, ...(from === undefined ? {} : { from }) }}>
            Go back
          </Link>
        </nav>
      )}
    </Screen>
  )
}
