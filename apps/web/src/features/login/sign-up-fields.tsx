import type { FormSubmission } from '#components/forms/use-submission.ts'
import { PasswordField } from '#components/password-field.tsx'
import { PhoneField } from '#components/phone-field.tsx'
import { TextField } from '#components/text-field.tsx'

export type SignUpValues = { name: string; email: string; phone: string; password: string }

type SignUpFieldsProps = {
  form: FormSubmission
  values: SignUpValues
  onChange: (change: (before: SignUpValues) => SignUpValues) => void
}

const hintId = 'signup-password-hint'

/** The fields of a new account. */
export function SignUpFields({ form, values, onChange }: SignUpFieldsProps) {
  function change(name: keyof SignUpValues, value: string) {
    onChange((before) => ({ ...before, [name]: value }))
    form.changed(name)
  }

  return (
    <>
      <TextField
        {...form.field('name')}
        label="Name"
        required
        type="text"
        autoComplete="name"
        autoCapitalize="words"
        spellCheck={false}
        enterKeyHint="next"
        maxLength={200}
        value={values.name}
        onChange={(event) => change('name', event.target.value)}
      />
      <TextField
        {...form.field('email')}
        label="Email"
        required
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="next"
        maxLength={320}
        value={values.email}
        onChange={(event) => change('email', event.target.value)}
      />
      <PhoneField
        {...form.field('phone')}
        label="Phone number"
        required
        enterKeyHint="next"
        value={values.phone}
        onChange={(phone) => change('phone', phone)}
      />
      <PasswordField
        {...form.field('password')}
        label="Password"
        required
        hintId={hintId}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={1024}
        value={values.password}
        onChange={(event) => change('password', event.target.value)}
      />
      <p className="field-hint" id={hintId}>
        At least 8 characters.
      </p>
      <p className="field-hint">
        By signing up, you accept the {/* In its own tab, so that nothing that was typed is lost. */}
        <a href="/#/footer" target="_blank" rel="noopener">
          terms
        </a>
        .
      </p>
    </>
  )
}
