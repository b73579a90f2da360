import { render } from 'react-email'
import type { Mail } from '../mailer.ts'
import { loginCodeLetter, resetCodeLetter, signupCodeLetter, verificationLetter } from './code-letters.ts'
import type { Letter } from './letter.ts'
import { letterHtml } from './letter-html.ts'
import { letterText } from './letter-text.ts'
import {
  accountDeletedLetter,
  accountExpiringLetter,
  addressProvedLetter,
  emailChangedLetter,
  passwordChangedLetter,
  providerConnectedLetter,
} from './notice-letters.ts'
import { closedLetter, disputedLetter, paymentFailedLetter, refundLetter } from './payment-letters.ts'
import {
  changeCanceledLetter,
  changeScheduledLetter,
  endedLetter,
  endedUnpaidLetter,
  endingLetter,
  planChangedLetter,
  resumedLetter,
  subscribedLetter,
} from './plan-letters.ts'

export type RenderedMail = { subject: string; html: string; text: string }

/** Writes a mail: its subject, its page and its plain text, which say the same. */
export async function renderMail(mail: Mail): Promise<RenderedMail> {
  const tidy = withTidyNames(mail)
  const letter = letterOf(tidy)
  return {
    subject: letter.subject,
    html: await render(letterHtml(letter, tidy.appName)),
    text: letterText(letter, tidy.appName),
  }
}

function letterOf(mail: Mail): Letter {
  switch (mail.kind) {
    case 'reset-code':
      return resetCodeLetter(mail)
    case 'login-code':
      return loginCodeLetter(mail)
    case 'signup-code':
      return signupCodeLetter(mail)
    case 'verification':
      return verificationLetter(mail)
    case 'email-changed':
      return emailChangedLetter(mail)
    case 'password-changed':
      return passwordChangedLetter(mail)
    case 'account-expiring':
      return accountExpiringLetter(mail)
    case 'address-proved':
      return addressProvedLetter(mail)
    case 'provider-connected':
      return providerConnectedLetter(mail)
    case 'account-deleted':
      return accountDeletedLetter(mail)
    case 'subscribed':
      return subscribedLetter(mail)
    case 'payment-failed':
      return paymentFailedLetter(mail)
    case 'plan-closed':
      return closedLetter(mail)
    case 'plan-changed':
      return planChangedLetter(mail)
    case 'plan-change-scheduled':
      return changeScheduledLetter(mail)
    case 'plan-change-canceled':
      return changeCanceledLetter(mail)
    case 'subscription-ending':
      return endingLetter(mail)
    case 'subscription-resumed':
      return resumedLetter(mail)
    case 'subscription-ended':
      return endedLetter(mail)
    case 'subscription-ended-unpaid':
      return endedUnpaidLetter(mail)
    case 'refund':
      return refundLetter(mail)
    case 'payment-disputed':
      return disputedLetter(mail)
  }
}

/** Names come from settings and go into headers too: no line break, and nothing that turns text around, is left in them. */
function withTidyNames(mail: Mail): Mail {
  const appName = oneLine(mail.appName)
  if ('providerName' in mail) return { ...mail, appName, providerName: oneLine(mail.providerName) }
  if (mail.kind === 'account-deleted')
    return { ...mail, appName, planName: mail.planName && oneLine(mail.planName) }
  if ('planName' in mail) return { ...mail, appName, planName: oneLine(mail.planName) }
  if (!('toPlanName' in mail)) return { ...mail, appName }
  const [fromPlanName, toPlanName] = [oneLine(mail.fromPlanName), oneLine(mail.toPlanName)]
  return { ...mail, appName, fromPlanName, toPlanName }
}

function oneLine(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}
