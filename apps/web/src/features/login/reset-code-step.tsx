import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { EmailAddress } from '#components/email-address.tsx'
import { CodeField } from '#components/forms/code-field.tsx'
import type { FieldErrors } from '#components/forms/field-checks.ts'
import { Form } from '#components/forms/form.tsx'
import { PasswordField } from '#components/forms/password-field.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { lateFocus } from '#components/late-focus.ts'
import { useToasts } from '#components/toaster.tsx'
import { errorCode, errorText } from '#lib/api/error-text.ts'
import { useServices } from '#lib/services/services.tsx'
import { onItsWayMs, useHasPassed } from '#lib/services/use-has-passed.ts'

/** The second step: takes the code from the email and the new password. */
export function CodeStep({ email }: { email: string }) {
  const { clock, memberSession } = useServices()
  const navigate = useNavigate()
  const toasts = useToasts()
  const form = useSubmission('reset-password')
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const [sentAt, setSentAt] = useState(() => clock.now().getTime())
  const isOnItsWay = !useHasPassed(sentAt, onItsWayMs)

  async function reset(isShown: () => boolean): Promise<Outcome> {
    const client = await memberSession.getClient()
    const { message = '' } = await client.resetMemberPassword({ token: code, newPassword: password, email })
    // The reset has ended all sessions, also one of this browser.
    void memberSession.verify()
    if (!isShown()) {
      toasts.show('success', message)
      return 'done'
    }
    await navigate({
      to: '/resetpassword',
      replace: true,
      state: (before) => ({ ...before, resetMessage: message }),
    })
    return 'done'
  }

  async function sendAgain(): Promise<Outcome> {
    const moveFocus = lateFocus()
    const client = await memberSession.getClient()
    await client.sendMemberResetPasswordEmail({ email })
    setCode('')
    setSentAt(clock.now().getTime())
    moveFocus(document.getElementById(form.field('code').id))
    return { text: 'We sent another code. Only the newest one works.' }
  }

  async function submit(): Promise<void> {
    let errors: FieldErrors = {}
    await form.run(async (isShown) => {
      try {
        return await reset(isShown)
      } catch (error) {
        errors = errorsOfReset(error)
        if (Object.keys(errors).length === 0) throw error
        return 'done'
      }
    })
    // An error of a field is said once, at the field.
    if (Object.keys(errors).length > 0) form.refuse('', errors)
  }

  return (
    <>
      <h1>Check your email</h1>
      <p className="form-purpose">
        If <EmailAddress email={email} /> has an account, a code is on its way. It works for an hour. Look in
        your spam folder too.
      </p>
      <Form submission={form} action="Submit" onSubmit={() => void submit()}>
        {/* Password managers store the new password with this address. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <CodeField submission={form} code={code} onCode={setCode} enterKeyHint="next" isAlert />
        <PasswordField
          {...form.input('password', password, setPassword)}
          label="New password"
          required
          isAlert
          autoComplete="new-password"
          enterKeyHint="go"
        />
      </Form>
      <p className="form-purpose">
        {isOnItsWay ? (
          'No email yet? In a minute you can send a new code.'
        ) : (
          <button type="button" className="link" onClick={() => void form.run(sendAgain)}>
            Send a new code
          </button>
        )}
      </p>
    </>
  )
}

/** Returns which field the server's error about a reset is about. */
function errorsOfReset(error: unknown): FieldErrors {
  switch (errorCode(error)) {
    case 'invalid-reset-code':
      return { code: 'This code is wrong or expired.' }
    case 'required-field-missing':
      return { password: 'Enter your new password.' }
    case 'invalid-password-too-short':
    case 'invalid-password':
      return { password: errorText(error) }
    default:
      return {}
  }
}
