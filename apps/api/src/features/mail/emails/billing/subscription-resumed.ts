import { button, defineEmail, facts, text } from '../define-email.ts'
import { instant, name, sampleInstant } from '../fields.ts'

export const subscriptionResumed = defineEmail({
  kind: 'subscription-resumed',
  group: 'billing',
  data: { planName: name, nextBillingDate: instant.nullable() },
  content: ({ planName, nextBillingDate }, { appName, pages, formatBillingDay }) => ({
    subject: `Your ${appName} plan continues`,
    preview: 'It’s no longer canceled.',
    title: 'Your plan continues',
    body: [
      text('Your cancellation was undone. Your plan continues as before.'),
      facts({ Plan: planName, 'Next payment': nextBillingDate && formatBillingDay(nextBillingDate) }),
      button('Open my account', pages.account),
    ],
    unexpected: 'Didn’t undo the cancellation? Write to us and we’ll put it right.',
  }),
  samples: {
    billed: { planName: 'Yearly', nextBillingDate: sampleInstant },
    'not billed': { planName: 'Yearly', nextBillingDate: null },
  },
})
