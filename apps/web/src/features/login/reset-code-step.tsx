import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { CodeField } from '#components/forms/code-field.tsx'
import { Form } from '#components/forms/form.tsx'
import { PasswordField } from '#components/forms/password-field.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { StatusLine } from '#components/status-line.tsx'
import { useToasts } from '#components/toaster.tsx'
import { useServices } from '#lib/services.tsx'
import { errorsOfCredentials } from './field-errors.ts'

type CodeStepProps = {
  email: string
  /** Whether the new password is set. */
  isReset: boolean
}

/** The second step: takes the code from the email and the new password. */
export function CodeStep({ email, isReset }: CodeStepProps) {
  const { memberSession } = useServices()
  const navigate = useNavigate()
  const toasts = useToasts()
  const form = useSubmission('reset-password')
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')

  async function reset(isShown: () => boolean): Promise<Outcome> {
    const client = await memberSession.getClient()
    const { message } = await client.resetMemberPassword({ token: code, newPassword: password, email })
    // The reset has ended all sessions, also one of this browser.
    void memberSession.verify()
    if (!isShown()) {
      toasts.show('success', message ?? '')
      return 'done'
    }
    await navigate({
      to: '/resetpassword',
      replace: true,
      state: (before) => ({ ...before, isReset: true }),
    })
    return { text: message ?? '' }
  }

  async function sendAgain(): Promise<Outcome> {
    const client = await memberSession.getClient()
    await client.sendMemberResetPasswordEmail({ email })
    return { text: 'We sent another code. Only the newest one works.' }
  }

  if (isReset)
    return (
      <>
        <h1>Check your email</h1>
        <p className="form-purpose">You can log in with your new password now.</p>
        <StatusLine id={form.messageId} message={form.message} onExpired={form.expireMessage} />
      </>
    )
  return (
    <>
      <h1>Check your email</h1>
      <p className="form-purpose">
        If {email} has an account, a code is on its way. It works for an hour. Look in your spam folder too.
      </p>
      <Form submission={form} action="Submit" onSubmit={() => void form.run(reset, errorsOfCredentials)}>
        {/* Password managers store the new password with this address. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <CodeField submission={form} code={code} onCode={setCode} enterKeyHint="next" />
        <PasswordField
          {...form.input('password', password, setPassword)}
          label="New password"
          required
          autoComplete="new-password"
          enterKeyHint="go"
        />
      </Form>
      <p className="form-purpose">
        <button type="button" className="link" onClick={() => void form.run(sendAgain)}>
          Send a new code
        </button>
      </p>
    </>
  )
}
