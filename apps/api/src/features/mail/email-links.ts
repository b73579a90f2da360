import type { AccountMail, Mail, PlanMail } from '#integrations/mail/mailer.ts'
import { type AccountEmail, type Email, isPlanEmail, type PlanEmail } from './email.ts'

type Envelope = { to: string; appName: string }

export type EmailLinks = {
  /** The mail that tells an email. */
  mailOf(envelope: Envelope, email: Email): Mail
}

/** Knows where the mails of emails lead, and whom to write to. */
export function createEmailLinks(site: { url: URL; contact: string; timeZone: string }): EmailLinks {
  const { contact, timeZone } = site
  const pageOf = (screen: string) => new URL(`/#${screen}`, site.url.origin).href
  const loginUrl = pageOf('/account/login')
  const accountUrl = pageOf('/account/dashboard')
  const changePlanUrl = pageOf('/account/change-plan')

  function accountMailOf(envelope: Envelope, email: AccountEmail): AccountMail {
    switch (email.kind) {
      case 'email-changed':
      case 'account-deleted':
        return { ...envelope, ...email, contact }
      case 'password-changed':
        return { ...envelope, ...email, resetUrl: pageOf('/resetpassword') }
      case 'account-expiring':
        return { ...envelope, ...email, removedAt: new Date(email.removedAt), timeZone, loginUrl }
      case 'address-proved':
      case 'provider-connected':
        return { ...envelope, ...email, accountUrl }
    }
  }

  function planMailOf(to: Envelope, email: PlanEmail): PlanMail {
    const envelope = { ...to, contact, timeZone, pageUrl: accountUrl }
    switch (email.kind) {
      case 'payment-failed':
        return { ...envelope, ...email, accessUntil: dateOrNull(email.accessUntil) }
      case 'subscription-ending':
        return { ...envelope, ...email, endsAt: new Date(email.endsAt) }
      case 'plan-change-scheduled':
        return { ...envelope, ...email, at: new Date(email.at), pageUrl: changePlanUrl }
      case 'subscription-ended':
      case 'subscription-ended-unpaid':
      case 'payment-disputed':
        return { ...envelope, ...email, pageUrl: changePlanUrl }
      case 'plan-closed':
      case 'refund':
        return { ...envelope, ...email }
      case 'subscribed':
      case 'plan-changed':
      case 'plan-change-canceled':
      case 'subscription-resumed':
        return { ...envelope, ...email, nextBillingDate: dateOrNull(email.nextBillingDate) }
    }
  }

  return {
    mailOf: (envelope, email) =>
      isPlanEmail(email) ? planMailOf(envelope, email) : accountMailOf(envelope, email),
  }
}

function dateOrNull(time: string | null): Date | null {
  return time === null ? null : new Date(time)
}
