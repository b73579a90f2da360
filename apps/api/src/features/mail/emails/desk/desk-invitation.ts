import { z } from 'zod'
import { button, defineEmail, text } from '#features/mail/layout/define-email.ts'
import { name } from '../fields.ts'

export const deskInvitation = defineEmail({
  kind: 'desk-invitation',
  group: 'desk',
  data: { inviter: name.nullable(), link: z.string(), days: z.int() },
  content: ({ inviter, link, days }, { appName }) => ({
    subject: `Your invitation to the desk of ${appName}`,
    preview: `This link works once, within ${days} days.`,
    title: 'Work at the desk',
    body: [
      text(
        `${inviter ?? 'The operator'} invites you to the desk of ${appName}, where its editions are made.`,
      ),
      text(`This link works once, within ${days} days, and creates your passkey. Never share it.`),
      button('Accept the invitation', link),
    ],
    unexpected: 'Didn’t expect this? Ignore it, and the invitation expires.',
  }),
  samples: {
    owner: {
      inviter: 'Ada Palmer',
      link: 'https://news.example.com/desk/invitation/0193a000.c2lnbmF0dXJl',
      days: 7,
    },
    command: {
      inviter: null,
      link: 'https://news.example.com/desk/invitation/0193a000.c2lnbmF0dXJl',
      days: 7,
    },
  },
})
