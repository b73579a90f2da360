import { button, defineEmail, facts, link, text } from '#features/mail/layout/define-email.ts'
import { paidPlan, priceFacts, sampleDiscount, sampleInvoiceUrl, samplePrice } from '../fields.ts'

/** Welcome and receipt in one. */
export const subscribed = defineEmail({
  kind: 'subscribed',
  group: 'billing',
  data: paidPlan,
  content(data, site) {
    const renewal = text('Your plan renews automatically. You can cancel at any time in your account.')
    return {
      subject: `Welcome to ${site.appName}: your plan is active`,
      preview: 'Your plan and what it costs.',
      title: 'Your plan is active',
      body: [
        text('Thank you for subscribing. Everything in your plan is open to you now.'),
        facts({ Plan: data.planName, ...priceFacts(data, site) }),
        ...(data.nextBillingDate ? [renewal] : []),
        button('Choose how editions reach you', site.pages.account),
        ...(data.invoiceUrl === null ? [] : [link('View receipt', data.invoiceUrl)]),
      ],
      unexpected: 'Didn’t choose this plan? Write to us and we’ll put it right.',
    }
  },
  samples: {
    yearly: { planName: 'Yearly', ...samplePrice, charged: 4500, invoiceUrl: sampleInvoiceUrl },
    discounted: { planName: 'Yearly', ...samplePrice, ...sampleDiscount, invoiceUrl: null },
    'paid once': {
      planName: 'Gift',
      ...samplePrice,
      interval: null,
      nextBillingDate: null,
      invoiceUrl: null,
    },
  },
})
