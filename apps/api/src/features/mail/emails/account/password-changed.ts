import { button, defineEmail, text } from '#features/mail/layout/define-email.ts'

export const passwordChanged = defineEmail({
  kind: 'password-changed',
  group: 'account',
  data: {},
  content: (_data, { appName, pages }) => ({
    subject: `Your ${appName} password was changed`,
    preview: 'Wasn’t this you? Reset your password.',
    title: 'Your password was changed',
    body: [
      text(`Your ${appName} account has a new password. We logged out all your other devices.`),
      text('Wasn’t this you? Reset your password now. This logs out every device.'),
      button('Reset my password', pages.resetPassword),
    ],
    unexpected: 'Was this you? There’s nothing else to do.',
  }),
  samples: { changed: {} },
})
