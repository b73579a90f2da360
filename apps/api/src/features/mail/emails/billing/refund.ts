import { z } from 'zod'
import { button, defineEmail, text } from '#features/mail/layout/define-email.ts'
import { refundBlocks, refundedPayment, sampleMoney } from '../fields.ts'

export const refund = defineEmail({
  kind: 'refund',
  group: 'billing',
  /** `isSecond`: the member paid twice. Otherwise the payment came after the subscription had ended. */
  data: { ...refundedPayment.shape, isSecond: z.boolean() },
  content(data, site) {
    const { appName, pages, formatMoney } = site
    const isRefunded = data.status === 'refunded'
    const payment = data.isSecond ? 'second payment' : 'payment'
    return {
      subject: isRefunded ? `We refunded your ${payment} to ${appName}` : `Your ${appName} refund is delayed`,
      preview: 'There’s nothing for you to do.',
      title: isRefunded ? `We refunded ${formatMoney(data.amount, data.currency)}` : 'Your refund is delayed',
      body: [
        text(
          data.isSecond
            ? 'You paid twice for your plan. We canceled the second one, and the first one continues.'
            : 'You were charged for a plan that has ended.',
        ),
        ...refundBlocks(data, site),
        button('Open my account', pages.account),
      ],
      unexpected: 'Didn’t expect this? Write to us and we’ll put it right.',
    }
  },
  samples: {
    'charged twice': { ...sampleMoney, status: 'refunded', isSecond: true },
    'charged late': { ...sampleMoney, status: 'refunded', isSecond: false },
    failed: { ...sampleMoney, status: 'failed', isSecond: true },
    manual: { ...sampleMoney, status: 'manual', isSecond: false },
  },
})
