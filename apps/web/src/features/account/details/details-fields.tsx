import type { FormSubmission } from '#components/forms/use-submission.ts'
import { PhoneField } from '#components/phone-field.tsx'
import { TextField } from '#components/text-field.tsx'
import { type AccountDetails, isOtherEmail } from './account-details.ts'

type DetailsFieldsProps = {
  form: FormSubmission
  values: AccountDetails
  storedEmail: string
  onChange: (change: Partial<AccountDetails>) => void
}

/** The fields of a member's details. */
export function DetailsFields({ form, values, storedEmail, onChange }: DetailsFieldsProps) {
  function change(name: keyof AccountDetails, value: string) {
    onChange({ [name]: value })
    form.changed(name)
  }
  const email = form.field('email')
  const hintId = `${email.id}-hint`
  const isHinted = email.error === null && isOtherEmail(values.email, storedEmail)

  return (
    <>
      <TextField
        {...form.field('name')}
        label="Name"
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
        {...email}
        label="Email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="next"
        maxLength={320}
        value={values.email}
        hintId={isHinted ? hintId : null}
        onChange={(event) => change('email', event.target.value)}
      />
      {isHinted ? (
        <p className="field-hint" id={hintId}>
          We'll email a code to the new address to confirm it. Your other devices will be logged out.
        </p>
      ) : null}
      <PhoneField
        {...form.field('phone')}
        label="Phone number"
        enterKeyHint="done"
        value={values.phone}
        onChange={(phone) => change('phone', phone)}
      />
    </>
  )
}
