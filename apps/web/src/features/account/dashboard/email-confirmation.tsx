import { useQueryClient } from '@tanstack/react-query'
import { limits } from '@tidings/contracts/limits'
import type { Member } from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { CodeField } from '#components/forms/code-field.tsx'
import { codeCheck } from '#components/forms/field-checks.ts'
import { Form } from '#components/forms/form.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { StatusLine } from '#components/status-line.tsx'
import { useServices } from '#lib/services.tsx'
import { deliveriesKey } from '../deliveries/member-deliveries.ts'
import { codeErrors } from '../details/field-errors.ts'

/** Says that deliveries by email need a confirmed address, emails what confirms it, and takes the code of that email. */
export function EmailConfirmation({ member }: { member: Member }) {
  const { email } = member.auth
  const [isSent, setSent] = useState(false)
  const [isEntering, setEntering] = useState(false)
  const [confirmed, setConfirmed] = useState<string | null>(null)
  const section = useRef<HTMLElement>(null)
  // The button that had the focus is gone.
  useEffect(() => (isEntering ? section.current?.querySelector('input')?.focus() : undefined), [isEntering])
  if (member.verified) {
    return confirmed === email ? (
      <div className="account-note">
        <p role="status">Your address is confirmed. We can email editions to {email}.</p>
      </div>
    ) : null
  }
  return (
    <section ref={section} className="account-note" aria-label="Confirm your address">
      <p role="status">
        {isSent
          ? `We sent an email to ${email}. Open its link, or enter its code here. Both work for ${limits.shortCodeMinutes} minutes.`
          : 'To receive deliveries by e-mail, confirm your address.'}
      </p>
      {isEntering || isSent ? <CodeForm email={email} onConfirmed={() => setConfirmed(email)} /> : null}
      <RequestEmail isAgain={isEntering || isSent} onSent={() => setSent(true)}>
        {/* Sign-up has emailed a code. */}
        {isEntering || isSent ? null : (
          <button type="button" className="link" onClick={() => setEntering(true)}>
            Enter a code
          </button>
        )}
      </RequestEmail>
    </section>
  )
}

function CodeForm({ email, onConfirmed }: { email: string; onConfirmed: () => void }) {
  const { memberSession } = useServices()
  const queryClient = useQueryClient()
  const form = useSubmission('email-code', { code: codeCheck })
  const [code, setCode] = useState('')

  async function verify(): Promise<Outcome> {
    const client = await memberSession.getClient()
    await client.verifyMemberEmail({ email, code })
    onConfirmed()
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

type RequestEmailProps = { isAgain: boolean; onSent: () => void; children: ReactNode }

function RequestEmail({ isAgain, onSent, children }: RequestEmailProps) {
  const { memberSession } = useServices()
  const submission = useSubmission('confirmation')
  const { isBusy, message } = submission

  function send() {
    void submission.run(async () => {
      await (await memberSession.getClient()).sendMemberVerificationEmail()
      onSent()
      return isAgain ? { text: 'We sent another email. Only the newest one works.' } : 'done'
    })
  }

  return (
    <>
      <div className="section-actions">
        <button type="button" className="link" aria-disabled={isBusy} onClick={send}>
          {isBusy ? messages.pleaseWait : isAgain ? 'Send a new email' : 'Send me the email'}
        </button>
        {children}
      </div>
      {message === null || isBusy ? null : (
        <StatusLine id={submission.messageId} message={message} onExpired={submission.expireMessage} />
      )}
    </>
  )
}
