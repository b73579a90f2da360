import { button, defineEmail, text } from '#features/mail/layout/define-email.ts'
import { name } from '../fields.ts'

export const providerConnected = defineEmail({
  kind: 'provider-connected',
  group: 'account',
  data: { providerName: name },
  content: ({ providerName }, { appName, pages }) => ({
    subject: `You can now log in to ${appName} with ${providerName}`,
    preview: `Wasn’t this you? Disconnect ${providerName}.`,
    title: `You can now log in with ${providerName}`,
    body: [
      text(`${providerName} is connected to your ${appName} account.`),
      text(
        `Wasn’t this you? Disconnect ${providerName} in your account and change your password right away.`,
      ),
      button('Open my account', pages.account),
    ],
    unexpected: 'Was this you? There’s nothing else to do.',
  }),
  samples: { google: { providerName: 'Google' } },
})
