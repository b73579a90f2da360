/** @jsxImportSource preact */
import { normalizeEmail } from '@tidings/contracts/membership/typed-text'
import { emailError } from '../parts/checks.ts'
import { EmailField } from '../parts/field.tsx'
import { Form, LinkButton } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import { areValid, useField } from '../parts/use-field.ts'
import { useDialog } from '../state/dialog-context.ts'
import { textOf } from '../state/error-text.ts'

export function ForgotPassword() {
  const dialog = useDialog()
  const { t, calls, run, dispatch, showMessage } = dialog
  const email = useField(emailError(t), dialog.email)

  function submit(): void {
    if (!areValid(email)) return
    const address = normalizeEmail(email.value)
    dialog.email = address
    void run(
      () => calls.sendMemberResetPasswordEmail?.({ email: address }),
      () => {
        dispatch({ type: 'resetEmailSent', email: address })
        showMessage(t('reset_code_sent', { email: address }))
      },
      { fail: (error) => showMessage(textOf(error)) },
    )
  }

  return (
    <>
      <Heading text={t('reset_your_password')} hasBack />
      <p class="hint">{t('reset_hint')}</p>
      <Form submit={t('send_link')} onSubmit={submit}>
        <EmailField field={email} />
      </Form>
      <p class="switch">
        <LinkButton onClick={() => dispatch({ type: 'codeEntryChosen' })}>{t('have_a_code')}</LinkButton>
      </p>
    </>
  )
}
