import { useLocation, useNavigate } from '@tanstack/react-router'
import { normalizeEmail } from '@tidings/contracts/membership/typed-text'
import { siteMessages } from '@tidings/contracts/site/site-messages'
import { useState } from 'react'
import { EmailField } from '#components/forms/email-field.tsx'
import { emailCheck, required } from '#components/forms/field-checks.ts'
import { Form } from '#components/forms/form.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { rememberedEmail } from '#lib/member/login-email.ts'
import { useServices } from '#lib/services/services.tsx'
import { errorsOfCredentials } from './field-errors.ts'

const checks = { email: required('Enter your email.', emailCheck) }

/** The first step: asks for the address, and sends a code to it. */
export function EmailStep() {
  const { deviceStore, memberSession } = useServices()
  const { state } = useLocation()
  const navigate = useNavigate()
  const form = useSubmission('forgot-password', checks)
  const [email, setEmail] = useState(state.email || rememberedEmail(deviceStore))

  async function send(isShown: () => boolean): Promise<Outcome> {
    const client = await memberSession.getClient()
    const codeSentTo = normalizeEmail(email)
    await client.sendMemberResetPasswordEmail({ email: codeSentTo })
    if (isShown()) {
      await navigate({
        to: '/resetpassword',
        state: (before) => ({ ...before, email: codeSentTo, codeSentTo }),
      })
    }
    return 'done'
  }

  function submit() {
    void form.submit({
      values: { email },
      missing: siteMessages.inputEmail,
      action: send,
      errorsOf: errorsOfCredentials,
    })
  }

  return (
    <>
      <h1>Forgot password</h1>
      <p className="form-purpose">We’ll email you a code, with which you can set a new password.</p>
      <Form submission={form} action="Reset password" onSubmit={submit}>
        <EmailField
          {...form.input('email', email, setEmail)}
          required
          autoComplete="username"
          enterKeyHint="send"
        />
      </Form>
    </>
  )
}
