/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { passwordError } from '../parts/checks.ts'
import { CodeBoxes } from '../parts/code-boxes.tsx'
import { emptyCode, isComplete } from '../parts/code-entry.ts'
import { PasswordField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import { areValid, useField } from '../parts/use-field.ts'
import { useDialog } from '../state/dialog-context.ts'
import type { ResetPasswordState } from '../state/dialog-state.ts'

export function ResetPassword({ state }: { state: ResetPasswordState }) {
  const { t, calls, run, dispatch, report } = useDialog()
  const [digits, setDigits] = useState(emptyCode)
  const [isErrorShown, setErrorShown] = useState(false)
  const password = useField(passwordError(t))

  function submit(): void {
    setErrorShown(true)
    if (!isComplete(digits) || !areValid(password)) return
    const { email } = state
    const reset = { token: digits.join(''), newPassword: password.value, ...(email !== null && { email }) }
    void run(
      () => calls.resetMemberPassword?.(reset),
      () => {
        dispatch({ type: 'passwordReset' })
        report('PASSWORD_RESET', {})
      },
    )
  }

  return (
    <>
      <Heading text={t('reset_your_password')} hasBack />
      <Form submit={t('confirm_and_reset')} onSubmit={submit}>
        <CodeBoxes digits={digits} onChange={setDigits} isErrorShown={isErrorShown} />
        <PasswordField name="new-password" isNew field={password} />
      </Form>
    </>
  )
}

export function ResetPasswordSuccess() {
  const { t, dispatch } = useDialog()
  return (
    <>
      <Heading text={t('reset_your_password')} />
      <p role="status">{t('password_reset_success')}</p>
      <button type="button" class="primary" onClick={() => dispatch({ type: 'loginChosen' })}>
        {t('back_to_login')}
      </button>
    </>
  )
}
