import { code, defineEmail, text } from '#features/mail/layout/define-email.ts'
import { codeFields, codeText, sampleCode } from '../fields.ts'

export const signupCode = defineEmail({
  kind: 'signup-code',
  group: 'codes',
  data: codeFields,
  content: ({ code: digits, minutes }, { appName }) => ({
    subject: `${digits} is your ${appName} sign-up code`,
    preview: 'Enter it to finish signing up.',
    title: 'Your sign-up code',
    body: [text(`Enter this code to finish signing up for ${appName}:`), code(digits), codeText(minutes)],
    unexpected: 'Didn’t sign up? You can ignore this email. No account is created without the code.',
  }),
  samples: { 'sign-up': sampleCode },
})
