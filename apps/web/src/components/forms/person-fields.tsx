import { EmailField } from './email-field.tsx'
import { PhoneField } from './phone-field.tsx'
import { TextField } from './text-field.tsx'
import type { FormSubmission } from './use-submission.ts'

type Person = { name: string; email: string; phone: string }

type PersonFieldsProps = {
  form: FormSubmission
  values: Person
  onChange: (change: Partial<Person>) => void
  required?: boolean
  /** The hint about a change of the address; null for none. */
  emailHint?: string | null
  /** The label of the keyboard's enter key in the last field. */
  lastKey: 'next' | 'done'
}

/** The fields that say who a member is. */
export function PersonFields({
  form,
  values,
  onChange,
  required,
  emailHint = null,
  lastKey,
}: PersonFieldsProps) {
  const email = form.input('email', values.email, (text) => onChange({ email: text }))
  const hintId = emailHint === null || email.error !== null ? null : `${email.id}-hint`
  return (
    <>
      <TextField
        {...form.input('name', values.name, (text) => onChange({ name: text }))}
        label="Name"
        required={required}
        type="text"
        autoComplete="name"
        autoCapitalize="words"
        spellCheck={false}
        enterKeyHint="next"
      />
      <EmailField {...email} required={required} hintId={hintId} />
      {hintId === null ? null : (
        <p className="field-hint" id={hintId}>
          {emailHint}
        </p>
      )}
      <PhoneField
        {...form.field('phone')}
        label="Phone number"
        required={required}
        enterKeyHint={lastKey}
        value={values.phone}
        onChange={(phone) => {
          onChange({ phone })
          form.changed('phone', phone)
        }}
      />
    </>
  )
}
