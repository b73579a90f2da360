import { code, defineEmail, text } from '#features/mail/layout/define-email.ts'
import { codeFields, codeText, sampleCode } from '../fields.ts'

export const loginCode = defineEmail({
  kind: 'login-code',
  group: 'codes',
  data: codeFields,
  content: ({ code: digits, minutes }, { appName }) => ({
    subject: `${digits} is your ${appName} login code`,
    preview: 'Enter it to log in.',
    title: 'Your login code',
    body: [text(`Enter this code to log in to ${appName}:`), code(digits), codeText(minutes)],
    unexpected: 'Didn’t try to log in? You can ignore this email. Nobody can log in without the code.',
  }),
  samples: { login: sampleCode },
})
