import type { AccountMail, Mail, PlanMail } from '#integrations/mail/mailer.ts'
import { type AccountNotice, isPlanNotice, type Notice, type PlanNotice } from './notice.ts'

type Envelope = { to: string; appName: string }

export type NoticeMails = {
  /** The mail that tells a notice. */
  mailOf(envelope: Envelope, notice: Notice): Mail
}

/** Knows where the mails of notices lead, and whom to write to. */
export function createNoticeMails(site: { url: URL; contact: string; timeZone: string }): NoticeMails {
  const { contact, timeZone } = site
  const pageOf = (screen: string) => new URL(`/#${screen}`, site.url.origin).href
  const loginUrl = pageOf('/account/login')
  const accountUrl = pageOf('/account/dashboard')
  const changePlanUrl = pageOf('/account/change-plan')

  function accountMailOf(envelope: Envelope, notice: AccountNotice): AccountMail {
    switch (notice.kind) {
      case 'email-changed':
      case 'account-deleted':
        return { ...envelope, ...notice, contact }
      case 'password-changed':
        return { ...envelope, ...notice, resetUrl: pageOf('/resetpassword') }
      case 'account-expiring':
        return { ...envelope, ...notice, removedAt: new Date(notice.removedAt), timeZone, loginUrl }
      case 'address-proved':
      case 'provider-connected':
        return { ...envelope, ...notice, accountUrl }
    }
  }

  function planMailOf(to: Envelope, notice: PlanNotice): PlanMail {
    const envelope = { ...to, contact, timeZone, pageUrl: accountUrl }
    switch (notice.kind) {
      case 'payment-failed':
        return { ...envelope, ...notice, accessUntil: dateOrNull(notice.accessUntil) }
      case 'subscription-ending':
        return { ...envelope, ...notice, endsAt: new Date(notice.endsAt) }
      case 'plan-change-scheduled':
        return { ...envelope, ...notice, at: new Date(notice.at), pageUrl: changePlanUrl }
      case 'subscription-ended':
      case 'subscription-ended-unpaid':
      case 'payment-disputed':
        return { ...envelope, ...notice, pageUrl: changePlanUrl }
      case 'plan-closed':
      case 'refund':
        return { ...envelope, ...notice }
      case 'subscribed':
      case 'plan-changed':
      case 'plan-change-canceled':
      case 'subscription-resumed':
        return { ...envelope, ...notice, nextBillingDate: dateOrNull(notice.nextBillingDate) }
    }
  }

  return {
    mailOf: (envelope, notice) =>
      isPlanNotice(notice) ? planMailOf(envelope, notice) : accountMailOf(envelope, notice),
  }
}

function dateOrNull(time: string | null): Date | null {
  return time === null ? null : new Date(time)
}
