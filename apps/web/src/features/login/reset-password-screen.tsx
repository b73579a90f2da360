import '#styles/account.css'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { mainId, Screen } from '#components/screen.tsx'
import { useEarlyClient } from '#lib/member-session/use-early-client.ts'
import { CodeStep } from './reset-code-step.tsx'
import { EmailStep } from './reset-email-step.tsx'

/** Sets a new password with a code by email, in two steps. The step is in the history entry: going back works. */
export function ResetPasswordScreen() {
  const { codeSentTo, email = '', from, isReset = false } = useLocation().state
  const shown = useRef(codeSentTo)
  useEarlyClient()

  // The address stays the same, so the router does not focus the next step as it does a new screen.
  useEffect(() => {
    if (shown.current === codeSentTo) return
    shown.current = codeSentTo
    document.getElementById(mainId)?.focus({ preventScroll: true })
  }, [codeSentTo])

  return (
    <Screen title={codeSentTo === undefined ? 'Forgot password' : 'Check your email'} className="entrance">
      {codeSentTo === undefined ? <EmailStep /> : <CodeStep email={codeSentTo} isReset={isReset} />}
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to="/account/login" state={{ email, ...(from === undefined ? {} : { from }) }}>
          {isReset ? 'Log in' : 'Go back'}
        </Link>
      </nav>
    </Screen>
  )
}
