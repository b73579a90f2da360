/** @jsxImportSource preact */
import { normalizeEmail } from '@tidings/contracts/membership/typed-text'
import { emailError, passwordError } from '../parts/checks.ts'
import { EmailField, PasswordField } from '../parts/field.tsx'
import { Form, LinkButton } from '../parts/form.tsx'
import { Heading, Logo } from '../parts/heading.tsx'
import { OtherWays } from '../parts/other-ways.tsx'
import { areValid, useField } from '../parts/use-field.ts'
import { useDialog } from '../state/dialog-context.ts'
import type { LoginState } from '../state/dialog-state.ts'
import { withContentGroups } from './content-groups.ts'

export function Login({ state }: { state: LoginState }) {
  const dialog = useDialog()
  const { t, app, calls, params, run, enter, dispatch } = dialog
  const email = useField(emailError(t), dialog.email)
  const password = useField(passwordError(t))
  const hasPassword = state.method === 'password'

  function submit(): void {
    const address = normalizeEmail(email.value)
    dialog.email = address
    if (hasPassword) {
      if (!areValid(email, password)) return
      const credentials = { email: address, password: password.value, ...withContentGroups }
      enter('LOGIN', () => calls.loginMemberEmailPassword?.(credentials))
      return
    }
    if (!areValid(email)) return
    void run(
      () => calls.sendMemberLoginPasswordlessEmail?.({ email: address }),
      () => dispatch({ type: 'codeSent', email: address, details: { customFields: {} } }),
    )
  }

  function withProvider(provider: string): void {
    const allowSignup = params.login?.allowSignup ?? false
    enter('LOGIN', () => calls.loginWithProvider?.({ provider, allowSignup }))
  }

  function leaveForSignup(): void {
    dialog.email = normalizeEmail(email.value)
    const hasPlans = (params.signup?.plans?.length ?? 0) > 0
    const address = app.ssoSignupButtonURL
    if (!hasPlans && address && Reflect.get(window, 'ssoUI')) location.assign(address)
    else dispatch({ type: 'signupChosen' })
  }

  return (
    <>
      <Logo />
      <Heading text={t('login_to_your_account')} />
      <Form submit={t(hasPassword ? 'login' : 'login_with_email')} onSubmit={submit}>
        <EmailField field={email} />
        {hasPassword && (
          <PasswordField
            name="password"
            field={password}
            aside={
              calls.sendMemberResetPasswordEmail && (
                <LinkButton
                  onClick={() => {
                    dialog.email = normalizeEmail(email.value)
                    dispatch({ type: 'forgotPasswordChosen' })
                  }}
                >
                  {t('forgot_password')}
                </LinkButton>
              )
            }
          />
        )}
      </Form>
      <OtherWays state={state} onProvider={calls.loginWithProvider && withProvider} />
      {calls.signupMemberEmailPassword && (
        <p class="switch">
          <LinkButton onClick={leaveForSignup}>{t('dont_have_an_account')}</LinkButton>
        </p>
      )}
    </>
  )
}
