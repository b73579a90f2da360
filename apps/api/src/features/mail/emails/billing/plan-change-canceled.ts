import { button, defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { name, price, priceFacts, samplePlanChange } from '../fields.ts'

export const planChangeCanceled = defineEmail({
  kind: 'plan-change-canceled',
  group: 'billing',
  data: { fromPlanName: name, toPlanName: name, ...price },
  content: (data, site) => ({
    subject: `Your ${site.appName} plan stays the same`,
    preview: 'Your scheduled change was canceled.',
    title: 'Your plan stays the same',
    body: [
      text('Your scheduled change was canceled. Your plan continues as before.'),
      facts({ Plan: data.fromPlanName, 'Canceled change': data.toPlanName, ...priceFacts(data, site) }),
      button('Open my account', site.pages.account),
    ],
    unexpected: 'Didn’t cancel the change? Write to us and we’ll put it right.',
  }),
  samples: { monthly: { ...samplePlanChange, amount: 499, interval: 'MONTHLY' } },
})
