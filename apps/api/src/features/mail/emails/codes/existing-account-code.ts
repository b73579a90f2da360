import { code, defineEmail, text } from '#features/mail/layout/define-email.ts'
import { codeFields, codeText, sampleCode } from '../fields.ts'

/** Replies to a sign-up with an address that has an account already. */
export const existingAccountCode = defineEmail({
  kind: 'existing-account-code',
  group: 'codes',
  data: codeFields,
  content: ({ code: digits, minutes }, { appName }) => ({
    subject: `${digits} is your ${appName} login code`,
    preview: 'You already have an account. Enter the code to log in.',
    title: 'You already have an account',
    body: [
      text(`Someone tried to sign up for ${appName} with this address. It already has an account.`),
      text('Was this you? Enter this code to log in:'),
      code(digits),
      codeText(minutes),
    ],
    unexpected:
      'Wasn’t this you? You can ignore this email. Nothing has changed, and nobody can log in without the code.',
  }),
  samples: { 'sign-up': sampleCode },
})
