import { z } from 'zod'
import { button, defineEmail, facts, text } from '../define-email.ts'
import { name, price, priceFacts, sampleInvoiceUrl, samplePrice } from '../fields.ts'

/** A payment that failed before has succeeded, in time. */
export const paymentReceived = defineEmail({
  kind: 'payment-received',
  group: 'billing',
  data: { planName: name, ...price, invoiceUrl: z.string().nullable() },
  content: (data, site) => ({
    subject: `Your payment to ${site.appName} went through`,
    preview: 'Your plan continues. There’s nothing else to do.',
    title: 'Your payment went through',
    body: [
      text('Thank you. The payment that failed before has succeeded, and your plan continues.'),
      facts({ Plan: data.planName, ...priceFacts(data, site) }),
      data.invoiceUrl === null
        ? button('Open my account', site.pages.account)
        : button('View receipt', data.invoiceUrl),
    ],
    unexpected: 'Didn’t make this payment? Write to us and we’ll put it right.',
  }),
  samples: {
    yearly: { planName: 'Yearly', ...samplePrice, charged: 4999, invoiceUrl: sampleInvoiceUrl },
    'no invoice page': { planName: 'Yearly', ...samplePrice, charged: 4999, invoiceUrl: null },
  },
})
