import { defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { paidPlan, priceFacts, receiptButton, sampleInvoiceUrl, samplePrice } from '../fields.ts'

/** A plan on hold is open again; `charged` is null if that took no payment. */
export const planReopened = defineEmail({
  kind: 'plan-reopened',
  group: 'billing',
  data: paidPlan,
  content: (data, site) => ({
    subject: `Your ${site.appName} plan is open again`,
    preview: 'Everything in your plan is open to you.',
    title: 'Your plan is open again',
    body: [
      text(
        data.charged == null
          ? 'Everything in your plan is open to you again.'
          : 'Thank you for your payment. Everything in your plan is open to you again.',
      ),
      facts({ Plan: data.planName, ...priceFacts(data, site) }),
      receiptButton(data.invoiceUrl, site),
    ],
    unexpected: 'Didn’t make this payment? Write to us and we’ll put it right.',
  }),
  samples: {
    paid: { planName: 'Yearly', ...samplePrice, charged: 4999, invoiceUrl: sampleInvoiceUrl },
    'without a payment': { planName: 'Yearly', ...samplePrice, charged: null, invoiceUrl: null },
  },
})
