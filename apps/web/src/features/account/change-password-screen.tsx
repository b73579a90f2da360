import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Member } from '@tidings/contracts/membership/members'
import { siteMessages } from '@tidings/contracts/site/site-messages'
import { useState } from 'react'
import { Form } from '#components/forms/form.tsx'
import { PasswordField } from '#components/forms/password-field.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { useServices } from '#lib/services/services.tsx'
import { AccountScreen } from './account-screen.tsx'
import { passwordErrors } from './details/field-errors.ts'
import { feedKey } from './feed.ts'

/** Changes a member's password, or sets the first one of a member who signed up without. */
export function ChangePasswordScreen() {
  return (
    <AccountScreen title="Change password">
      {(member) => (
        <>
          <PasswordForm member={member} />
          <nav className="foot-links" aria-label="Elsewhere">
            <Link to="/account/dashboard">Go back</Link>
          </nav>
        </>
      )}
    </AccountScreen>
  )
}

function PasswordForm({ member }: { member: Member }) {
  const { memberSession } = useServices()
  const queryClient = useQueryClient()
  const form = useSubmission('password')
  const [oldPassword, setOldPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const { hasPassword, email } = member.auth

  async function save(): Promise<Outcome> {
    const client = await memberSession.getClient()
    if (hasPassword) await client.updateMemberAuth({ oldPassword, newPassword })
    else await client.setPassword({ password: newPassword })
    void queryClient.invalidateQueries({ queryKey: feedKey })
    setOldPassword('')
    setNewPassword('')
    return { text: siteMessages.successfullyUpdated }
  }

  function submit() {
    if (newPassword === '' || (hasPassword && oldPassword === '')) return
    void form.run(save, passwordErrors)
  }

  return (
    <>
      <p className="account-intro">
        {hasPassword
          ? 'When you change your password, your other devices are logged out, and your feed address ends.'
          : 'Your account has no password yet. Set one to log in with your email too.'}
      </p>
      <Form submission={form} action="Submit" onSubmit={submit}>
        {/* Tells password managers whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        {hasPassword ? (
          <PasswordField
            {...form.input('oldPassword', oldPassword, setOldPassword)}
            label="Old password"
            autoComplete="current-password"
            enterKeyHint="next"
          />
        ) : null}
        <PasswordField
          {...form.input('newPassword', newPassword, setNewPassword)}
          label="New password"
          autoComplete="new-password"
          enterKeyHint="go"
        />
        <p className="field-hint">At least 8 characters.</p>
      </Form>
    </>
  )
}
