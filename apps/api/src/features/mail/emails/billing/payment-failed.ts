import { button, defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { amountDue, instant, sampleInstant, sampleInvoiceUrl, sampleMoney } from '../fields.ts'

export const paymentFailed = defineEmail({
  kind: 'payment-failed',
  group: 'billing',
  /** `accessUntil` is null if the plan is on hold already. */
  data: { ...amountDue, accessUntil: instant.nullable() },
  content: (
    { planName, amount, currency, payUrl, accessUntil },
    { appName, pages, formatBillingDay, formatMoney },
  ) => ({
    subject: `Your payment to ${appName} failed`,
    preview: accessUntil === null ? 'Pay now to reopen your plan.' : 'Pay now to keep your plan.',
    title: 'Your payment failed',
    body: [
      text('Your card may have expired, or your bank may need you to confirm the payment.'),
      facts({
        Plan: planName,
        'Amount due': formatMoney(amount, currency),
        'Pay by': accessUntil && formatBillingDay(accessUntil),
      }),
      text(
        accessUntil === null
          ? 'Your plan is on hold until you pay. You can use another card.'
          : 'Pay by then and nothing changes. You can use another card.',
      ),
      payUrl === null ? button('Open my account', pages.account) : button('Pay now', payUrl),
    ],
    unexpected: 'Didn’t choose this plan? Write to us and we’ll put it right.',
  }),
  samples: {
    open: { planName: 'Yearly', ...sampleMoney, payUrl: sampleInvoiceUrl, accessUntil: sampleInstant },
    'on hold': { planName: 'Yearly', ...sampleMoney, payUrl: null, accessUntil: null },
  },
})
