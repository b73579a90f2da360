import { button, defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { name } from '../fields.ts'

export const subscriptionEnded = defineEmail({
  kind: 'subscription-ended',
  group: 'billing',
  data: { planName: name },
  content: ({ planName }, { appName, pages }) => ({
    subject: `Your ${appName} plan has ended`,
    preview: 'You won’t be charged for it again. Your account stays open.',
    title: 'Your plan has ended',
    body: [
      text('You won’t be charged for it again. Your account stays open, with everything in it.'),
      facts({ Plan: planName }),
      text('Thank you for being with us. You can come back at any time.'),
      button('Choose a plan', pages.changePlan),
    ],
    unexpected: 'Didn’t expect this? Write to us and we’ll put it right.',
  }),
  samples: { ended: { planName: 'Yearly' } },
})
