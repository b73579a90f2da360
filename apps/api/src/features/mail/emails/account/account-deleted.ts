import { z } from 'zod'
import { button, defineEmail, facts, text } from '../define-email.ts'
import { name, refundBlocks, refundedPayment, sampleMoney } from '../fields.ts'

export const accountDeleted = defineEmail({
  kind: 'account-deleted',
  group: 'account',
  data: {
    /** The paid plan that ended with the account; null for none. */
    planName: name.nullable(),
    refunds: z.array(refundedPayment).default([]),
  },
  isAboutPayment: ({ planName, refunds }) => planName !== null || refunds.length > 0,
  content({ planName, refunds }, site) {
    const { appName, contact, contactUrl } = site
    const planBlocks = [
      text('Your plan ended with your account. You won’t be charged again.'),
      facts({ Plan: planName }),
    ]
    const isPaidWithoutRefund = planName !== null && refunds.length === 0
    return {
      subject: `Your ${appName} account was deleted`,
      preview: 'Wasn’t this you? Write to us right away.',
      title: 'Your account was deleted',
      body: [
        text(`We deleted your ${appName} account and everything in it. Thank you for being with us.`),
        ...(planName === null ? [] : planBlocks),
        ...refunds.flatMap((refund) => refundBlocks(refund, site)),
        ...(isPaidWithoutRefund ? [text('Earlier payments aren’t refunded.')] : []),
        text(`Wasn’t this you? Write to ${contact} right away.`),
        button('Write to us', contactUrl),
      ],
      unexpected: 'Was this you? There’s nothing else to do.',
    }
  },
  samples: {
    free: { planName: null },
    'with a plan': { planName: 'Yearly' },
    'with a refund': { planName: 'Yearly', refunds: [{ ...sampleMoney, status: 'refunded' }] },
  },
})
