import { PasswordField } from '#components/forms/password-field.tsx'
import { PersonFields } from '#components/forms/person-fields.tsx'
import type { FormSubmission } from '#components/forms/use-submission.ts'

export type SignUpValues = { name: string; email: string; phone: string; password: string }

type SignUpFieldsProps = {
  form: FormSubmission
  values: SignUpValues
  onChange: (change: Partial<SignUpValues>) => void
}

const hintId = 'signup-password-hint'

/** The fields of a new account. */
export function SignUpFields({ form, values, onChange }: SignUpFieldsProps) {
  const password = form.input('password', values.password, (text) => onChange({ password: text }))
  // The error of a short password says the same.
  const isHinted = password.error === null || values.password === ''
  return (
    <>
      <PersonFields form={form} values={values} onChange={onChange} required lastKey="next" />
      <PasswordField
        {...password}
        label="Password"
        required
        hintId={isHinted ? hintId : null}
        autoComplete="new-password"
        enterKeyHint="go"
      />
      {isHinted ? (
        <p className="field-hint" id={hintId}>
          At least 8 characters.
        </p>
      ) : null}
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
