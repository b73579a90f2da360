import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@tidings/contracts/membership/messages'
import { type ReactNode, useState } from 'react'
import { CodeField } from '#components/forms/code-field.tsx'
import { codeCheck } from '#components/forms/field-checks.ts'
import { Form } from '#components/forms/form.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { StatusLine } from '#components/status-line.tsx'
import { useServices } from '#lib/services.tsx'
import { deliveriesKey } from '../deliveries/member-deliveries.ts'
import { codeErrors } from '../details/field-errors.ts'
import type { ConfirmationMail } from './confirmation-mail.ts'
import { useMemberWatch } from './use-member-watch.ts'

type CodeFormProps = { email: string; onSubmit?: () => void; onFailed?: () => void; onConfirmed?: () => void }

/** Takes the code that confirms an address, and learns when the link of the same email has confirmed it. */
export function EmailCodeForm({ email, onSubmit, onFailed, onConfirmed }: CodeFormProps) {
  const { memberSession } = useServices()
  const queryClient = useQueryClient()
  const form = useSubmission('email-code', { code: codeCheck })
  const [code, setCode] = useState('')
  useMemberWatch()

  async function verify(): Promise<Outcome> {
    onSubmit?.()
    try {
      const client = await memberSession.getClient()
      await client.verifyMemberEmail({ email, code })
    } catch (error) {
      onFailed?.()
      throw error
    }
    onConfirmed?.()
    void queryClient.invalidateQueries({ queryKey: deliveriesKey })
    return 'done'
  }

  return (
    <Form
      submission={form}
      action="Confirm"
      onSubmit={() =>
        void form.submit({
          values: { code },
          missing: 'Check the marked field.',
          action: verify,
          errorsOf: codeErrors,
        })
      }
    >
      <CodeField submission={form} code={code} onCode={setCode} enterKeyHint="go" />
    </Form>
  )
}

type RequestEmailProps = {
  mail: ConfirmationMail
  /** Whether an earlier email asked for this code. */
  isAgain: boolean
  onSent: () => void
  children?: ReactNode
}

/** Asks for another email, unless the last one may still be on its way. */
export function RequestEmail({ mail, isAgain, onSent, children }: RequestEmailProps) {
  const { memberSession } = useServices()
  const submission = useSubmission('confirmation')
  const { isBusy, message } = submission

  function send() {
    void submission.run(async () => {
      await (await memberSession.getClient()).sendMemberVerificationEmail()
      mail.remember()
      onSent()
      return isAgain ? { text: 'We sent another email. Only the newest one works.' } : 'done'
    })
  }

  return (
    <>
      {mail.isOnItsWay ? (
        <p className="account-detail">No email yet? In a minute you can send a new one.</p>
      ) : (
        <div className="section-actions">
          <button type="button" className="link" aria-disabled={isBusy} onClick={send}>
            {isBusy ? messages.pleaseWait : isAgain ? 'Send a new email' : 'Send me the email'}
          </button>
          {children}
        </div>
      )}
      {message === null || isBusy ? null : (
        <StatusLine id={submission.messageId} message={message} onExpired={submission.expireMessage} />
      )}
    </>
  )
}
