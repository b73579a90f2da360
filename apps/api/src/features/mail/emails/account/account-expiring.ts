import { button, defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { instant, sampleInstant } from '../fields.ts'

/** Warns of the removal of an unused account whose address was never verified. */
export const accountExpiring = defineEmail({
  kind: 'account-expiring',
  group: 'account',
  data: { removedAt: instant },
  content: ({ removedAt }, { appName, pages, formatDay }) => ({
    subject: `Your ${appName} account will be deleted soon`,
    preview: 'Log in to keep it.',
    title: 'Do you want to keep your account?',
    body: [
      text(
        `You signed up for ${appName} but never confirmed this address, and you haven’t used your account since.`,
      ),
      facts({ 'Deleted after': formatDay(removedAt) }),
      text('To keep your account, log in before then. No password? Log in with a code.'),
      button('Log in', pages.login),
    ],
    unexpected: 'Didn’t sign up? You can ignore this email. We’ll delete the account automatically.',
  }),
  samples: { unused: { removedAt: sampleInstant } },
})
