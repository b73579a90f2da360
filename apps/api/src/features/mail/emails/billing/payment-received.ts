import { defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { paidPlan, priceFacts, receiptButton, sampleInvoiceUrl, samplePrice } from '../fields.ts'

/** A payment that failed before has succeeded, in time. */
export const paymentReceived = defineEmail({
  kind: 'payment-received',
  group: 'billing',
  data: paidPlan,
  content: (data, site) => ({
    subject: `Your payment to ${site.appName} went through`,
    preview: 'Your plan continues. There’s nothing else to do.',
    title: 'Your payment went through',
    body: [
      text('Thank you. The payment that failed before has succeeded, and your plan continues.'),
      facts({ Plan: data.planName, ...priceFacts(data, site) }),
      receiptButton(data.invoiceUrl, site),
    ],
    unexpected: 'Didn’t make this payment? Write to us and we’ll put it right.',
  }),
  samples: {
    yearly: { planName: 'Yearly', ...samplePrice, charged: 4999, invoiceUrl: sampleInvoiceUrl },
    'no invoice page': { planName: 'Yearly', ...samplePrice, charged: 4999, invoiceUrl: null },
  },
})
