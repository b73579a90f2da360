import { code, defineEmail, text } from '#features/mail/layout/define-email.ts'
import { codeFields, codeText, sampleCode } from '../fields.ts'

export const resetCode = defineEmail({
  kind: 'reset-code',
  group: 'codes',
  data: codeFields,
  content: ({ code: digits, minutes }, { appName }) => ({
    subject: `${digits} is your ${appName} password reset code`,
    preview: 'Enter it to choose a new password.',
    title: 'Your password reset code',
    body: [text('Enter this code to choose a new password:'), code(digits), codeText(minutes)],
    unexpected: 'Didn’t request this? You can ignore this email. Your password stays the same.',
  }),
  samples: { reset: { ...sampleCode, minutes: 60 } },
})
