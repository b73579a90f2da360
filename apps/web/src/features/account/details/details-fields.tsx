import { PersonFields } from '#components/forms/person-fields.tsx'
import type { FormSubmission } from '#components/forms/use-submission.ts'
import { type AccountDetails, isOtherEmail } from './account-details.ts'

type DetailsFieldsProps = {
  form: FormSubmission
  values: AccountDetails
  storedEmail: string
  onChange: (change: Partial<AccountDetails>) => void
}

const emailHint =
  'We’ll email a code to the new address to confirm it. Your other devices will be logged out.'

/** The fields of a member's details. */
export function DetailsFields({ storedEmail, ...fields }: DetailsFieldsProps) {
  const isOther = isOtherEmail(fields.values.email, storedEmail)
  return <PersonFields {...fields} emailHint={isOther ? emailHint : null} lastKey="done" />
}
