import { button, defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { name } from '../fields.ts'

export const paymentDisputed = defineEmail({
  kind: 'payment-disputed',
  group: 'billing',
  data: { planName: name },
  content: ({ planName }, { appName, pages }) => ({
    subject: `Your ${appName} plan was canceled after a payment dispute`,
    preview: 'You won’t be charged again.',
    title: 'Your plan was canceled',
    body: [
      text('Your bank told us that a payment for your plan is disputed, so we canceled your plan.'),
      facts({ Plan: planName }),
      text('You won’t be charged again. You can choose a plan again at any time.'),
      button('See the plans', pages.changePlan),
    ],
    unexpected: 'Didn’t dispute a payment? Write to us and we’ll put it right.',
  }),
  samples: { disputed: { planName: 'Yearly' } },
})
