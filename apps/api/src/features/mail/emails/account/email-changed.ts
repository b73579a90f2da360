import { z } from 'zod'
import { button, defineEmail, text } from '#features/mail/layout/define-email.ts'
import { maskAddress } from '#platform/text/email-address.ts'

/** Goes to the old address, which can no longer reset the password: only people can help. */
export const emailChanged = defineEmail({
  kind: 'email-changed',
  group: 'account',
  data: { newEmail: z.string() },
  content: ({ newEmail }, { appName, contact, contactUrl }) => ({
    subject: `Your ${appName} email address was changed`,
    preview: 'Wasn’t this you? Write to us right away.',
    title: 'Your email address was changed',
    body: [
      text(
        `Your ${appName} account now uses ${maskAddress(newEmail)}. We’ll send all emails there from now on.`,
      ),
      text(
        `Wasn’t this you? Write to ${contact} from this address right away. We’ll help you get your account back.`,
      ),
      button('Write to us', contactUrl),
    ],
    unexpected: 'Was this you? There’s nothing else to do.',
  }),
  samples: { changed: { newEmail: 'jane.doe@example.org' } },
})
