import { z } from 'zod'
import { defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { refundedPayment, sampleMoney } from '../fields.ts'

const causes = {
  'paid-twice': 'The member paid twice for one plan.',
  'paid-after-end': 'The member was charged for a subscription that has ended.',
  'account-deleted': 'The member was charged although their account was being deleted.',
  'by-merchant': 'You refunded this payment yourself.',
}

const states = {
  failed: 'The refund failed, so the member doesn’t have the money yet.',
  manual: 'Nothing is refunded automatically, because AUTOMATIC_REFUNDS is off.',
}

/** Went to OPERATOR_EMAIL for each refund. Earlier releases may have left some in the outbox, which are still sent. */
export const refundNeedsPerson = defineEmail({
  kind: 'refund-needs-person',
  group: 'operator',
  isAboutPayment: () => true,
  data: {
    ...refundedPayment.shape,
    status: z.enum(['failed', 'manual']),
    reason: z.enum(['paid-twice', 'paid-after-end', 'account-deleted', 'by-merchant']),
    paymentId: z.string(),
    invoiceId: z.string(),
    refundId: z.string().nullable(),
  },
  content: (data, { appName, formatMoney }) => ({
    subject: `${appName}: a refund needs you`,
    preview: `${formatMoney(data.amount, data.currency)} to refund by hand.`,
    title: 'A refund needs you',
    body: [
      text(`${causes[data.reason]} ${states[data.status]}`),
      facts({
        Amount: formatMoney(data.amount, data.currency),
        Payment: data.paymentId,
        Invoice: data.invoiceId,
        'Failed refund': data.refundId,
      }),
      text(
        'Search for the payment in Stripe’s dashboard and refund it there. If Stripe refuses, agree on another way with the member.',
      ),
      text('The command “tidings payments report” lists every refund that needs you.'),
    ],
    unexpected: 'Didn’t expect this? PAYMENTS.md explains which payments are refunded.',
  }),
  samples: {
    failed: {
      ...sampleMoney,
      status: 'failed',
      reason: 'paid-twice',
      paymentId: 'pi_1',
      invoiceId: 'in_1',
      refundId: 're_1',
    },
    manual: {
      ...sampleMoney,
      status: 'manual',
      reason: 'paid-after-end',
      paymentId: 'pi_1',
      invoiceId: 'in_1',
      refundId: null,
    },
  },
})
