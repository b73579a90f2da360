import { formatBillingDay } from '../../../platform/billing-day.ts'
import { formatMoney } from '../../../platform/money.ts'
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

export function doublePaymentLetter(mail: MailOf<'double-payment-refunded'>): Letter {
  const { appName, planName, amount, currency } = mail
  return {
    subject: `You paid ${appName} twice: one payment comes back`,
    preview: 'There is nothing to do.',
    title: 'One payment comes back to you',
    parts: [
      text(
        'You had subscribed twice. The second subscription was ended at once, and its payment is given back.',
      ),
      ...factsOf({ Plan: planName, 'Given back': formatMoney(amount, currency) }),
      text('The other one goes on, and there is nothing to do. Banks may take up to ten days to show it.'),
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
