import { z } from 'zod'
import { button, defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { name } from '../fields.ts'

/** Lists what the first proof of the address removed, because an earlier owner could have left it. See ADR 0086. */
export const addressProved = defineEmail({
  kind: 'address-proved',
  group: 'account',
  data: {
    password: z.enum(['removed', 'replaced']).nullable(),
    providerNames: z.array(name),
    sessionsEnded: z.int(),
    isPhoneRemoved: z.boolean().default(false),
    browsersRemoved: z.int().default(0),
  },
  content: (
    { password, providerNames, sessionsEnded, isPhoneRemoved, browsersRemoved },
    { appName, pages },
  ) => ({
    subject: `We secured your ${appName} account`,
    preview: 'You confirmed your address. We removed what someone else could have left.',
    title: 'Your account is secured',
    body: [
      text('You confirmed that this address is yours.'),
      text(
        `Someone else could have used it at ${appName} before. To be safe, we removed what could belong to them:`,
      ),
      facts({
        Password: password,
        'Connected accounts': providerNames.join(', '),
        Devices: sessionsEnded === 0 ? null : `${sessionsEnded} logged out`,
        'Number for texts': isPhoneRemoved ? 'removed' : null,
        Notifications: browsersRemoved === 0 ? null : 'turned off',
      }),
      text('Did you set these up yourself? Add them again in your account, and check your details there.'),
      button('Open my account', pages.account),
    ],
    unexpected: 'Wasn’t this you? Change the password of your mailbox first. Then log in here with a code.',
  }),
  samples: {
    everything: {
      password: 'replaced',
      providerNames: ['Google', 'GitHub'],
      sessionsEnded: 2,
      isPhoneRemoved: true,
      browsersRemoved: 1,
    },
    'password only': {
      password: 'removed',
      providerNames: [],
      sessionsEnded: 0,
      isPhoneRemoved: false,
      browsersRemoved: 0,
    },
  },
})
