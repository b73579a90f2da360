import { formatBillingDay } from '#platform/billing-day.ts'
import { formatMoney } from '#platform/money.ts'
import type { PlanMail } from '../mailer.ts'
import type { Letter } from './letter.ts'
import { asideOf, factsOf } from './letter-facts.ts'

type MailOf<Kind extends PlanMail['kind']> = Extract<PlanMail, { kind: Kind }>

export function paymentFailedLetter(mail: MailOf<'payment-failed'>): Letter {
  const { appName, planName, amount, currency, payUrl, accessUntil } = mail
  const openUntil = accessUntil === null ? null : formatBillingDay(accessUntil, mail.timeZone)
  return {
    subject: `Your payment to ${appName} did not go through`,
    preview: 'It can be mended in a minute.',
    title: 'Your payment did not go through',
    parts: [
      text('The card may have expired, or the bank may want you to confirm the payment.'),
      ...factsOf({ Plan: planName, 'To be paid': formatMoney(amount, currency), 'Open until': openUntil }),
      text(
        openUntil === null
          ? 'Your plan is closed until this is paid. You can use another card, too.'
          : 'Pay by then, and nothing changes for you. You can use another card, too.',
      ),
      payUrl === null
        ? { kind: 'button', label: 'Open your account', url: mail.pageUrl }
        : { kind: 'button', label: 'Pay now', url: payUrl },
    ],
    aside: asideOf('You did not choose this plan?', mail.contact),
  }
}

export function closedLetter(mail: MailOf<'plan-closed'>): Letter {
  const { appName, planName, amount, currency, payUrl } = mail
  return {
    subject: `Your ${appName} plan is closed until it is paid`,
    preview: 'It opens again as soon as it is paid.',
    title: 'Your plan is closed until it is paid',
    parts: [
      text('We could not charge you for your plan, and the time to pay is over.'),
      ...factsOf({ Plan: planName, 'To be paid': formatMoney(amount, currency) }),
      text('Your plan opens again as soon as this is paid. You can use another card, too.'),
      payUrl === null
        ? { kind: 'button', label: 'Open your account', url: mail.pageUrl }
        : { kind: 'button', label: 'Pay now', url: payUrl },
    ],
    aside: asideOf('You did not choose this plan?', mail.contact),
  }
}

const refundWords = {
  refunded: {
    label: 'Refunded',
    text: 'The money is on its way. Banks can take up to ten days to show it.',
  },
  failed: {
    label: 'Not refunded yet',
    text: 'The refund didn’t go through. We have been notified and will settle it with you.',
  },
  task: {
    label: 'Not refunded yet',
    text: 'We have been notified and will refund this payment or get back to you.',
  },
} as const

/** What became of payments that were to be refunded. */
export function refundParts(
  refunds: readonly Pick<MailOf<'refund'>, 'amount' | 'currency' | 'status'>[],
): Letter['parts'] {
  return refunds.flatMap(({ amount, currency, status }) => [
    ...factsOf({ [refundWords[status].label]: formatMoney(amount, currency) }),
    text(refundWords[status].text),
  ])
}

export function refundLetter(mail: MailOf<'refund'>): Letter {
  const { appName, status, isSecond } = mail
  const isRefunded = status === 'refunded'
  const about = isSecond
    ? 'You subscribed twice. We canceled the second subscription; the other one goes on.'
    : 'Your payment doesn’t belong to a subscription that goes on.'
  const refundedSubject = isSecond
    ? `You paid ${appName} twice: one payment is refunded`
    : `Your payment to ${appName} is refunded`
  return {
    subject: isRefunded ? refundedSubject : `Your payment to ${appName} isn’t refunded yet`,
    preview: isRefunded ? 'There’s nothing to do.' : 'Your payment isn’t refunded yet.',
    title: isRefunded ? 'Your payment is refunded' : 'Your payment isn’t refunded yet',
    parts: [
      text(about),
      ...refundParts([mail]),
      { kind: 'button', label: 'Open your account', url: mail.pageUrl },
    ],
    aside: asideOf('You did not expect this?', mail.contact),
  }
}

export function disputedLetter(mail: MailOf<'payment-disputed'>): Letter {
  const { appName, planName } = mail
  return {
    subject: `Your ${appName} plan was canceled after a payment dispute`,
    preview: 'You won’t be charged again.',
    title: 'Your plan was canceled',
    parts: [
      text('Your bank told us that a payment for your plan was disputed, so we canceled the plan.'),
      ...factsOf({ Plan: planName }),
      text('You won’t be charged again. You can subscribe again at any time.'),
      { kind: 'button', label: 'See the plans', url: mail.pageUrl },
    ],
    aside: asideOf('You did not dispute a payment?', mail.contact),
  }
}

function text(content: string) {
  return { kind: 'text', text: content } as const
}
