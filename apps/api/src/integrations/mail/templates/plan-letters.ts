import { formatBillingDay } from '#platform/billing-day.ts'
import { formatMoney } from '#platform/money.ts'
import { formatRecurringPrice } from '#platform/recurring-price.ts'
import type { PlanMail } from '../mailer.ts'
import type { Letter } from './letter.ts'
import { asideOf, factsOf } from './letter-facts.ts'

type MailOf<Kind extends PlanMail['kind']> = Extract<PlanMail, { kind: Kind }>

export function subscribedLetter(mail: MailOf<'subscribed'>): Letter {
  const { appName, planName, nextBillingDate, invoiceUrl } = mail
  return {
    subject: `Welcome: your ${appName} plan has begun`,
    preview: 'What you have chosen, and what it costs.',
    title: 'Welcome, and thank you',
    parts: [
      text('Your plan has begun, and everything that belongs to it is open to you.'),
      ...factsOf({
        Plan: planName,
        Charged: chargedOrNull(mail),
        Price: formatRecurringPrice(mail),
        'Next payment': dayOrNull(nextBillingDate, mail),
      }),
      ...(nextBillingDate === null
        ? []
        : [text('It goes on by itself until you cancel, which you can do in your account at any time.')]),
      invoiceUrl === null
        ? { kind: 'button', label: 'Open your account', url: mail.pageUrl }
        : { kind: 'button', label: 'See the receipt', url: invoiceUrl },
    ],
    aside: asideOf('You did not choose this plan?', mail.contact),
  }
}

export function planChangedLetter(mail: MailOf<'plan-changed'>): Letter {
  const { appName, fromPlanName, toPlanName, nextBillingDate, wasScheduled } = mail
  return {
    subject: `Your ${appName} plan was changed`,
    preview: 'Which plan you have now, and what it costs.',
    title: 'Your plan was changed',
    parts: [
      text(
        wasScheduled
          ? 'What you had paid for is over, and the change that was waiting for it holds from now on.'
          : 'The change holds from now on. What you had paid for and not used was counted in.',
      ),
      ...factsOf({
        Before: fromPlanName,
        Now: toPlanName,
        Charged: chargedOrNull(mail),
        Price: formatRecurringPrice(mail),
        'Next payment': dayOrNull(nextBillingDate, mail),
      }),
      { kind: 'button', label: 'Open your account', url: mail.pageUrl },
    ],
    aside: asideOf('You did not change it?', mail.contact),
  }
}

export function changeScheduledLetter(mail: MailOf<'plan-change-scheduled'>): Letter {
  const { appName, fromPlanName, toPlanName } = mail
  const day = formatBillingDay(mail.at, mail.timeZone)
  return {
    subject: `Your ${appName} plan changes on ${day}`,
    preview: 'Until then everything stays as it is.',
    title: 'Your plan is going to change',
    parts: [
      text('Until the new plan begins, everything stays as it is, and you can take the change back.'),
      ...factsOf({
        Now: fromPlanName,
        Then: toPlanName,
        'Begins on': day,
        Price: formatRecurringPrice(mail),
      }),
      { kind: 'button', label: 'Review the change', url: mail.pageUrl },
    ],
    aside: asideOf('You did not ask for it?', mail.contact),
  }
}

export function changeCanceledLetter(mail: MailOf<'plan-change-canceled'>): Letter {
  const { appName, fromPlanName, toPlanName, nextBillingDate } = mail
  return {
    subject: `Your ${appName} plan stays as it is`,
    preview: 'The change to another plan was canceled.',
    title: 'Your plan stays as it is',
    parts: [
      text('The change to another plan was canceled, so your plan goes on as before.'),
      ...factsOf({
        Plan: fromPlanName,
        'Canceled change': toPlanName,
        Price: formatRecurringPrice(mail),
        'Next payment': dayOrNull(nextBillingDate, mail),
      }),
      { kind: 'button', label: 'Open your account', url: mail.pageUrl },
    ],
    aside: asideOf('You did not cancel the change?', mail.contact),
  }
}

export function endingLetter(mail: MailOf<'subscription-ending'>): Letter {
  const { appName, planName, endsAt } = mail
  const day = formatBillingDay(endsAt, mail.timeZone)
  return {
    subject: `Your ${appName} plan ends on ${day}`,
    preview: 'Nothing more is charged.',
    title: 'Your plan is coming to its end',
    parts: [
      text('Your plan was cancelled. It stays open until it ends, and nothing more is charged.'),
      ...factsOf({ Plan: planName, 'Ends on': day }),
      text('Have you changed your mind? Until then you can let it go on.'),
      { kind: 'button', label: 'Keep the plan', url: mail.pageUrl },
    ],
    aside: asideOf('You did not cancel?', mail.contact),
  }
}

export function resumedLetter(mail: MailOf<'subscription-resumed'>): Letter {
  const { appName, planName, nextBillingDate } = mail
  return {
    subject: `Your ${appName} plan goes on`,
    preview: 'The cancellation was taken back.',
    title: 'Your plan goes on',
    parts: [
      text('The cancellation was taken back, and your plan goes on as before.'),
      ...factsOf({ Plan: planName, 'Next payment': dayOrNull(nextBillingDate, mail) }),
      { kind: 'button', label: 'Open your account', url: mail.pageUrl },
    ],
    aside: asideOf('You did not take it back?', mail.contact),
  }
}

export function endedLetter(mail: MailOf<'subscription-ended'>): Letter {
  return {
    subject: `Your ${mail.appName} plan has ended`,
    preview: 'Your account stays, and nothing more is charged.',
    title: 'Your plan has ended',
    parts: [
      text('Your account stays, with all that is in it, and nothing more is charged.'),
      ...factsOf({ Plan: mail.planName }),
      text('Thank you for having been with us. You can come back at any time.'),
      { kind: 'button', label: 'Choose a plan', url: mail.pageUrl },
    ],
    aside: asideOf('You did not expect this?', mail.contact),
  }
}

export function endedUnpaidLetter(mail: MailOf<'subscription-ended-unpaid'>): Letter {
  return {
    subject: `Your ${mail.appName} plan has ended because a payment failed`,
    preview: 'Your account stays, and nothing more is charged.',
    title: 'Your plan has ended',
    parts: [
      text(
        'We tried to charge you for your plan several times, and the last try failed too. So your plan has ended.',
      ),
      ...factsOf({ Plan: mail.planName }),
      text('You owe nothing, and your account stays. To come back, choose a plan and pay with another card.'),
      { kind: 'button', label: 'Choose a plan', url: mail.pageUrl },
    ],
    aside: asideOf('You did not expect this?', mail.contact),
  }
}

function chargedOrNull({ charged, currency }: MailOf<'subscribed' | 'plan-changed'>): string | null {
  return charged == null ? null : formatMoney(charged, currency)
}

function dayOrNull(instant: Date | null, { timeZone }: PlanMail): string | null {
  return instant === null ? null : formatBillingDay(instant, timeZone)
}

function text(content: string) {
  return { kind: 'text', text: content } as const
}
