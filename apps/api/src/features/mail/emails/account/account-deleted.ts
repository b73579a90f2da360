import { z } from 'zod'
import { button, defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { name, refundBlocks, refundedPayment, sampleMoney } from '../fields.ts'

/** The state of the member's record at the payment service, now or once nothing is owed. */
const customerTexts = {
  deleted: 'Our payment service has deleted your details and cards, too. It keeps records of past payments.',
  redacted:
    'At our payment service, we removed your name, email, addresses and cards. The records of your payments stay there.',
  'deleted-later':
    'Our payment service still has your details, because a payment or refund may still be open. We delete them there as soon as that’s settled.',
  'redacted-later':
    'Our payment service still has your details, because a payment or refund may still be open. We remove your name, email, addresses and cards there as soon as that’s settled.',
}

export const accountDeleted = defineEmail({
  kind: 'account-deleted',
  group: 'account',
  data: {
    /** The paid plan that ended with the account; null for none. */
    planName: name.nullable(),
    refunds: z.array(refundedPayment).default([]),
    /** Null for a member who never opened a checkout. */
    customer: z.enum(['deleted', 'redacted', 'deleted-later', 'redacted-later']).nullable().default(null),
  },
  isAboutPayment: ({ planName, refunds }) => planName !== null || refunds.length > 0,
  content({ planName, refunds, customer }, site) {
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
        ...(customer === null ? [] : [text(customerTexts[customer])]),
        text(`Wasn’t this you? Write to ${contact} right away.`),
        button('Write to us', contactUrl),
      ],
      unexpected: 'Was this you? There’s nothing else to do.',
    }
  },
  samples: {
    free: { planName: null },
    'with a plan': { planName: 'Yearly', customer: 'deleted' },
    'with a refund': {
      planName: 'Yearly',
      refunds: [{ ...sampleMoney, status: 'refunded' }],
      customer: 'redacted',
    },
    'with a failed refund': {
      planName: 'Yearly',
      refunds: [{ ...sampleMoney, status: 'failed' }],
      customer: 'deleted-later',
    },
    'with a manual refund': {
      planName: null,
      refunds: [{ ...sampleMoney, status: 'manual' }],
      customer: 'redacted-later',
    },
  },
})
