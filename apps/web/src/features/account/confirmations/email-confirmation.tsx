import { limits } from '@tidings/contracts/limits'
import type { Member } from '@tidings/contracts/membership/members'
import { useEffect, useRef, useState } from 'react'
import { EmailAddress } from '#components/email-address.tsx'
import { type LateFocus, lateFocus } from '#components/late-focus.ts'
import { useConfirmationMail } from './confirmation-mail.ts'
import { EmailCodeForm, RequestEmail } from './email-code.tsx'

/** Says that deliveries by email need a confirmed address, emails what confirms it, and takes the code of that email. */
export function EmailConfirmation({ member }: { member: Member }) {
  const { email } = member.auth
  const mail = useConfirmationMail(member)
  const isSent = !mail.isExpired
  const [isEntering, setEntering] = useState(isSent)
  // The code form stays when the code expires.
  if (isSent && !isEntering) setEntering(true)
  const [action, setAction] = useState<{ moveFocus: LateFocus } | null>(null)
  const [confirmed, setConfirmed] = useState<string | null>(null)
  const section = useRef<HTMLElement>(null)
  // The button that had the focus is gone.
  useEffect(() => action?.moveFocus(section.current?.querySelector('input')), [action])

  function enter() {
    setEntering(true)
    setAction({ moveFocus: lateFocus() })
  }

  if (member.verified) {
    return confirmed === email ? (
      <div className="account-note">
        <p role="status">
          Your address is confirmed. We can email editions to <EmailAddress email={email} />.
        </p>
      </div>
    ) : null
  }
  return (
    <section ref={section} className="account-note" aria-label="Confirm your address">
      <p role="status">
        {isSent ? (
          <>
            We sent an email to <EmailAddress email={email} />. Open its link, or enter its code here. Both
            work for {limits.shortCodeMinutes} minutes.
          </>
        ) : (
          'To receive editions by email, confirm your address.'
        )}
      </p>
      {isEntering ? <EmailCodeForm email={email} onConfirmed={() => setConfirmed(email)} /> : null}
      <RequestEmail mail={mail} isAgain={isEntering} onSent={(moveFocus) => setAction({ moveFocus })}>
        {isEntering ? null : (
          <button type="button" className="link" onClick={enter}>
            Enter a code
          </button>
        )}
      </RequestEmail>
    </section>
  )
}
