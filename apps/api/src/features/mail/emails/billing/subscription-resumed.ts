import { z } from 'zod'
import { button, defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { instant, name, price, priceFacts, sampleInstant, samplePrice } from '../fields.ts'

/** Emails that an earlier version enqueued have no `cost`. */
export const subscriptionResumed = defineEmail({
  kind: 'subscription-resumed',
  group: 'billing',
  data: { planName: name, nextBillingDate: instant.nullable(), cost: z.object(price).optional() },
  content: ({ planName, nextBillingDate, cost }, site) => ({
    subject: `Your ${site.appName} plan continues`,
    preview: 'It’s no longer canceled.',
    title: 'Your plan continues',
    body: [
      text('Your cancellation was undone, and your plan continues.'),
      facts({
        Plan: planName,
        ...(cost === undefined
          ? { 'Next payment': nextBillingDate && site.formatBillingDay(nextBillingDate) }
          : priceFacts({ ...cost, nextBillingDate }, site)),
      }),
      button('Open my account', site.pages.account),
    ],
    unexpected: 'Didn’t undo the cancellation? Write to us and we’ll put it right.',
  }),
  samples: {
    billed: { planName: 'Yearly', nextBillingDate: sampleInstant, cost: samplePrice },
    'not billed': { planName: 'Yearly', nextBillingDate: null },
  },
})
