import { z } from 'zod'
import { button, defineEmail, facts, text } from '../define-email.ts'
import { name, price, priceFacts, sampleInvoiceUrl, samplePrice } from '../fields.ts'

/** A plan on hold is open again; `charged` is null if that took no payment. */
export const planReopened = defineEmail({
  kind: 'plan-reopened',
  group: 'billing',
  data: { planName: name, ...price, invoiceUrl: z.string().nullable() },
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
      data.invoiceUrl === null
        ? button('Open my account', site.pages.account)
        : button('View receipt', data.invoiceUrl),
    ],
    unexpected: 'Didn’t make this payment? Write to us and we’ll put it right.',
  }),
  samples: {
    paid: { planName: 'Yearly', ...samplePrice, charged: 4999, invoiceUrl: sampleInvoiceUrl },
    'without a payment': { planName: 'Yearly', ...samplePrice, charged: null, invoiceUrl: null },
  },
})
