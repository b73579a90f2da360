/** @jsxImportSource preact */
import { normalizeEmail } from '@tidings/contracts/membership/typed-text'
import { useState } from 'preact/hooks'
import { emailError, passwordError } from '../parts/checks.ts'
import { CustomField } from '../parts/custom-field.tsx'
import { EmailField, Field, PasswordField } from '../parts/field.tsx'
import { Form, LinkButton } from '../parts/form.tsx'
import { Heading, Logo } from '../parts/heading.tsx'
import { OtherWays } from '../parts/other-ways.tsx'
import { useCaptcha } from '../parts/use-captcha.ts'
import { areValid, useField } from '../parts/use-field.ts'
import { useDialog } from '../state/dialog-context.ts'
import type { SignupState } from '../state/dialog-state.ts'
import { visibleFields } from '../state/start-state.ts'
import { withContentGroups } from './content-groups.ts'

export function Signup({ state }: { state: SignupState }) {
  const dialog = useDialog()
  const { t, app, calls, params, run, enter, dispatch } = dialog
  const email = useField(emailError(t), dialog.email)
  const password = useField(passwordError(t))
  const honeypot = useField()
  const captcha = useCaptcha()
  const [customFields, setCustomFields] = useState(dialog.customFields)
  const fields = visibleFields(app).filter(({ restrictToAdmin }) => !restrictToAdmin)
  const hasPassword = state.method === 'password'
  const plans = params.signup?.plans?.map((planId) => ({ planId })) ?? []

  function reset(): void {
    for (const field of [email, password, honeypot]) field.set('')
    setCustomFields({})
  }

  function remember(): void {
    dialog.email = normalizeEmail(email.value)
    dialog.customFields = customFields
  }

  function submit(): void {
    if (honeypot.value !== '') {
      reset()
      return
    }
    const address = normalizeEmail(email.value)
    remember()
    if (hasPassword) {
      if (!areValid(email, password)) return
      const params = { email: address, password: password.value, customFields, plans, ...withContentGroups }
      const { signupMemberEmailPassword } = calls
      enter(
        'SIGNUP',
        () =>
          signupMemberEmailPassword &&
          captcha.withToken((token) => signupMemberEmailPassword({ ...params, ...withCaptcha(token) })),
      )
      return
    }
    if (!areValid(email)) return
    void run(
      () => calls.sendMemberSignupPasswordlessEmail?.({ email: address, ...withCaptcha(captcha.solved()) }),
      () => dispatch({ type: 'codeSent', email: address, details: { customFields } }),
    )
  }

  function withProvider(provider: string): void {
    const details = { provider, customFields, plans }
    enter('SIGNUP', () => calls.signupWithProvider?.(details))
  }

  return (
    <>
      <Logo />
      <Heading text={t('create_an_account')} />
      <Form submit={t(hasPassword ? 'sign_up' : 'signup_with_email')} onSubmit={submit}>
        {fields.map(({ key, label }, index) => (
          <CustomField
            key={key}
            name={key}
            label={label}
            autofocus={index === 0}
            value={customFields[key] ?? ''}
            onChange={(value) => setCustomFields({ ...customFields, [key]: value })}
          />
        ))}
        <EmailField field={email} autofocus={fields.length === 0} />
        {hasPassword && <PasswordField name="password" isNew field={password} />}
        <div class="extra" aria-hidden="true">
          <Field
            name="website"
            label="Website"
            field={honeypot}
            attributes={{ tabIndex: -1, autocomplete: 'off' }}
          />
        </div>
        {captcha.isRequired && <slot name="captcha" ref={captcha.slot} />}
      </Form>
      <OtherWays state={state} onProvider={calls.signupWithProvider && withProvider} />
      <p class="switch">
        <LinkButton
          onClick={() => {
            remember()
            dispatch({ type: 'loginChosen' })
          }}
        >
          {t('already_have_an_account')}
        </LinkButton>
      </p>
    </>
  )
}

function withCaptcha(captchaToken: string | undefined) {
  return captchaToken === undefined ? {} : { captchaToken }
}
