import { button, defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { instant, name, sampleInstant } from '../fields.ts'

export const subscriptionEnding = defineEmail({
  kind: 'subscription-ending',
  group: 'billing',
  data: { planName: name, endsAt: instant },
  content({ planName, endsAt }, { appName, pages, formatBillingDay }) {
    const day = formatBillingDay(endsAt)
    return {
      subject: `Your ${appName} plan ends on ${day}`,
      preview: 'You won’t be charged again.',
      title: 'Your plan is canceled',
      body: [
        text('Your plan stays open until it ends. You won’t be charged again.'),
        facts({ Plan: planName, 'Ends on': day }),
        text('Changed your mind? You can keep your plan until then.'),
        button('Keep my plan', pages.account),
      ],
      unexpected: 'Didn’t cancel? Write to us and we’ll put it right.',
    }
  },
  samples: { canceled: { planName: 'Yearly', endsAt: sampleInstant } },
})
