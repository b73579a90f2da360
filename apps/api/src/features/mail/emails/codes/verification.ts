import { z } from 'zod'
import { button, code, defineEmail, text } from '#features/mail/layout/define-email.ts'
import { codeFields, codeText, sampleCode } from '../fields.ts'

export const verification = defineEmail({
  kind: 'verification',
  group: 'codes',
  data: {
    ...codeFields,
    /** Leads to a page with a button, since mail programs open links on their own. */
    link: z.string(),
  },
  content: ({ code: digits, minutes, link }, { appName }) => ({
    subject: `${digits} is your ${appName} confirmation code`,
    preview: 'Confirm that this address is yours.',
    title: 'Confirm your email address',
    body: [
      text(`Your ${appName} account uses this address. Enter this code to confirm that it’s yours:`),
      code(digits),
      codeText(minutes),
      text('Or confirm it with one tap:'),
      button('Confirm my address', link),
    ],
    unexpected: `Don’t have an account at ${appName}? Open the link and choose “I didn’t sign up”. We’ll remove your address.`,
  }),
  samples: {
    'sign-up': {
      ...sampleCode,
      link: 'https://news.example.com/auth/verify-email?app=app_tidings&email=ada%40example.com&code=418206',
    },
  },
})
