import { button, defineEmail, text } from '#features/mail/layout/define-email.ts'

/** Goes to an address that may be another person's, so it says nothing about payments. See ADR 0071. */
export const emailWaiting = defineEmail({
  kind: 'email-waiting',
  group: 'account',
  data: {},
  content: (_data, { appName, pages }) => ({
    subject: `Confirm your address to get your ${appName} emails`,
    preview: 'Confirm that this address is yours, and we send it.',
    title: 'An email is waiting for you',
    body: [
      text(`We have an email about your ${appName} account for you.`),
      text(
        'It has private details, so we send it once you confirm that this address is yours. Log in and confirm it in your account.',
      ),
      button('Open my account', pages.account),
    ],
    unexpected: 'Didn’t create this account? Ignore this email. Nothing private is sent to you.',
  }),
  samples: { waiting: {} },
})
