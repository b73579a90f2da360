import { button, defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { name } from '../fields.ts'

export const subscriptionEndedUnpaid = defineEmail({
  kind: 'subscription-ended-unpaid',
  group: 'billing',
  data: { planName: name },
  content: ({ planName }, { appName, pages }) => ({
    subject: `Your ${appName} plan has ended because a payment failed`,
    preview: 'You don’t owe anything. Your account stays open.',
    title: 'Your plan has ended',
    body: [
      text('We tried to charge you several times, but every payment failed.'),
      facts({ Plan: planName }),
      text('You don’t owe anything, and your account stays open.'),
      text('To come back, choose a plan and pay with another card.'),
      button('Choose a plan', pages.changePlan),
    ],
    unexpected: 'Didn’t expect this? Write to us and we’ll put it right.',
  }),
  samples: { unpaid: { planName: 'Yearly' } },
})
