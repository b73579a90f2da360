/** @jsxImportSource preact */

import type { Member } from '../membership-calls.ts'
import { passwordError } from '../parts/checks.ts'
import { PasswordField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { areValid, useField } from '../parts/use-field.ts'
import { useDialog } from '../state/dialog-context.ts'

/** Changes the password, or sets the first one. */
export function ChangePassword({ member }: { member: Member }) {
  const { t, calls, run, dispatch, showMessage, setMember } = useDialog()
  const { hasPassword, email } = member.auth
  const current = useField((text) => (text === '' ? t('password_error_message') : undefined))
  const next = useField(passwordError(t))
  const confirmation = useField((text) =>
    text === next.value ? passwordError(t)(text) : t('passwords_differ'),
  )

  function save(): void {
    if (!areValid(...(hasPassword ? [current] : []), next, confirmation)) return
    void run(
      () =>
        hasPassword
          ? calls.updateMemberAuth?.({ oldPassword: current.value, newPassword: next.value })
          : calls.setPassword?.({ password: next.value }),
      ({ data, message }) => {
        setMember(data)
        dispatch({ type: 'saved' })
        showMessage(message)
      },
    )
  }

  return (
    <Form submit={t('save')} onSubmit={save}>
      {/* Password managers store the new password for this address. */}
      <input type="hidden" name="username" autocomplete="username" value={email} />
      {hasPassword && <PasswordField name="current-password" field={current} autofocus />}
      <PasswordField name="new-password" isNew field={next} autofocus={!hasPassword} />
      <PasswordField name="confirm-password" isNew field={confirmation} />
    </Form>
  )
}
