import { z } from 'zod'
import { button, defineEmail, text } from '#features/mail/layout/define-email.ts'
import { name, refundBlocks, refundedPayment, sampleMoney } from '../fields.ts'

export const accountClosing = defineEmail({
  kind: 'account-closing',
  group: 'account',
  data: {
    /** The paid plan that ends with the account; null for none. */
    planName: name.nullable(),
    refunds: z.array(refundedPayment),
  },
  isAboutPayment: () => true,
  content({ planName, refunds }, site) {
    const { appName, contact, contactUrl, formatMoney } = site
    const plan = planName === null ? 'your payments' : `your ${planName} plan`
    const refundTexts = refunds.flatMap((refund) =>
      refund.status === 'refunded'
        ? [text(`Your refund of ${formatMoney(refund.amount, refund.currency)} is on its way.`)]
        : refundBlocks(refund, site),
    )
    return {
      subject: `We’re closing your ${appName} account`,
      preview: 'There’s nothing for you to do. We’ll email you when it’s done.',
      title: 'We’re closing your account',
      body: [
        text('We are closing your account. Your data is deleted, and you’re logged out everywhere.'),
        ...refundTexts,
        text(
          `We’re still settling ${plan} with our payment service, which takes longer than usual. If you’re charged after your request, you get that money back.`,
        ),
        text(
          'Until that’s done, you can’t log in or sign up with this address. We’ll email you when it’s done.',
        ),
        text(`Wasn’t this you? Write to ${contact} right away.`),
        button('Write to us', contactUrl),
      ],
      unexpected: 'Was this you? There’s nothing else to do.',
    }
  },
  samples: {
    'with a plan': { planName: 'Yearly', refunds: [] },
    'without a plan': { planName: null, refunds: [] },
    'with a refund': { planName: 'Yearly', refunds: [{ ...sampleMoney, status: 'refunded' }] },
    'with a failed refund': { planName: null, refunds: [{ ...sampleMoney, status: 'failed' }] },
  },
})
