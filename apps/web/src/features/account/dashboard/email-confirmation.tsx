import type { Member } from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import { useState } from 'react'
import { useSubmission } from '#components/forms/use-submission.ts'
import { StatusLine } from '#components/status-line.tsx'
import { useServices } from '#lib/services.tsx'

/** Says that deliveries by email need a confirmed address, and emails what confirms it. */
export function EmailConfirmation({ member }: { member: Member }) {
  const { memberSession } = useServices()
  const submission = useSubmission('confirmation')
  const { isBusy, message } = submission
  const [isSent, setSent] = useState(false)
  if (member.verified) return null

  function send() {
    void submission.run(async () => {
      await (await memberSession.getClient()).sendMemberVerificationEmail()
      setSent(true)
      return 'done'
    })
  }

  return (
    <div className="account-note">
      <p role="status">
        {isSent
          ? `We sent an email to ${member.auth.email}. Open its link to confirm your address.`
          : 'To receive deliveries by e-mail, confirm your address.'}
      </p>
      {isSent ? null : (
        <button type="button" className="link" aria-disabled={isBusy} onClick={send}>
          {isBusy ? messages.pleaseWait : 'Send me the email'}
        </button>
      )}
      {message?.isError === true ? (
        <StatusLine id={submission.messageId} message={message} onExpired={submission.expireMessage} />
      ) : null}
    </div>
  )
}
