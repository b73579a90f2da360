import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Member } from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import { useState } from 'react'
import { EmailAddress } from '#components/email-address.tsx'
import { useSubmission } from '#components/forms/use-submission.ts'
import { StatusLine } from '#components/status-line.tsx'
import { useServices } from '#lib/services/services.tsx'
import { deliveriesKey } from '../deliveries/member-deliveries.ts'
import { suppressionOf } from './suppression.ts'

/** Says that no editions are emailed after bounces or a complaint, and ends that. */
export function SuppressionNote({ member }: { member: Member }) {
  const { memberSession } = useServices()
  const queryClient = useQueryClient()
  const submission = useSubmission('suppression')
  const { isBusy, message } = submission
  const [isLifted, setLifted] = useState(false)
  const { email } = member.auth
  const query = suppressionOf(memberSession, member)
  const { data: suppression = null } = useQuery(query)
  if (suppression === null && !isLifted) return null

  function lift() {
    void submission.run(async () => {
      await (await memberSession.getClient()).liftSuppression()
      setLifted(true)
      queryClient.setQueryData(query.queryKey, null)
      void queryClient.invalidateQueries({ queryKey: deliveriesKey })
      return 'done'
    })
  }

  return (
    <div className="account-note">
      <p role="status">
        {suppression === null ? 'We send editions to ' : 'We stopped sending editions to '}
        <EmailAddress email={email} />
        {suppression === null
          ? ' again.'
          : suppression.kind === 'bounce'
            ? ' because emails came back. Check the address.'
            : ' because an email was reported as spam.'}
      </p>
      {suppression === null ? null : (
        <button type="button" className="link" aria-disabled={isBusy} onClick={lift}>
          {isBusy ? messages.pleaseWait : 'Send them again'}
        </button>
      )}
      {message?.isError === true ? (
        <StatusLine id={submission.messageId} message={message} onExpired={submission.expireMessage} />
      ) : null}
    </div>
  )
}
