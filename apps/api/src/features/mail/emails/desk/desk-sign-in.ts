import { z } from 'zod'
import { button, defineEmail, text } from '#features/mail/layout/define-email.ts'

export const deskSignIn = defineEmail({
  kind: 'desk-sign-in',
  group: 'desk',
  data: { link: z.string(), minutes: z.int() },
  content: ({ link, minutes }, { appName }) => ({
    subject: `Sign in to the desk of ${appName}`,
    preview: `This link works once, within ${minutes} minutes.`,
    title: 'Sign in to the desk',
    body: [
      text(`This link signs you in once, within ${minutes} minutes. Never share it.`),
      button('Sign in', link),
    ],
    unexpected: 'Didn’t ask for this? Don’t open the link. Nobody can sign in without it.',
  }),
  samples: {
    link: { link: 'https://news.example.com/desk/sign-in/0193a000.c2lnbmF0dXJl', minutes: 15 },
  },
})
