import { button, defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { amountDue, sampleInvoiceUrl, sampleMoney } from '../fields.ts'

/** The time to pay has run out, or a trial has ended without a way to charge the member. */
export const planClosed = defineEmail({
  kind: 'plan-closed',
  group: 'billing',
  data: amountDue,
  content: ({ planName, amount, currency, payUrl }, { appName, pages, formatMoney }) => ({
    subject: `Your ${appName} plan is on hold`,
    preview: 'It reopens as soon as you pay.',
    title: 'Your plan is on hold',
    body: [
      text('We couldn’t charge you for your plan in time.'),
      facts({ Plan: planName, 'Amount due': formatMoney(amount, currency) }),
      text('Your plan reopens as soon as you pay. You can use another card.'),
      payUrl === null ? button('Open my account', pages.account) : button('Pay now', payUrl),
    ],
    unexpected: 'Didn’t choose this plan? Write to us and we’ll put it right.',
  }),
  samples: {
    invoice: { planName: 'Yearly', ...sampleMoney, payUrl: sampleInvoiceUrl },
    'no invoice': { planName: 'Yearly', ...sampleMoney, payUrl: null },
  },
})
