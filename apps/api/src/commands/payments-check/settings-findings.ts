import type { CheckedAccount } from '#features/billing/index.ts'
import type { UnpaidInvoice } from '#integrations/payments/account-inspection.ts'
import { type Finding, formatDay, note, ok, type Section, todo } from './finding.ts'

const dayMs = 24 * 3_600_000
const whereToSave = 'the hosted invoice page always saves the payment method (Settings > Billing > Invoices)'

/** Checks whether the card that pays an open invoice pays the next one, as ADR 0043 has it. */
export function checkCards({ inspection: { settings } }: CheckedAccount): Section {
  const title = 'Cards'
  if (settings === null) {
    const text = `The key may not read the account. See in the dashboard that ${whereToSave}.`
    return { title, findings: [note(text)] }
  }
  const findings = {
    always: ok('The card that pays an open invoice also pays the next renewal.'),
    offer: note(
      `The card that pays an open invoice pays the next renewal only if the member chooses so. Better: ${whereToSave}.`,
    ),
    never: todo(
      `The card that pays an open invoice is not kept, and the next renewal is charged to the one that failed. Choose that ${whereToSave}.`,
    ),
    unknown: note(
      `Stripe doesn't say whether the card that pays an open invoice is kept. See that ${whereToSave}.`,
    ),
  }
  return { title, findings: [findings[settings.keepsInvoiceCard ?? 'unknown']] }
}

/** Checks what open invoices show of the retry schedule, which Stripe's API doesn't have. */
export function checkRetries({ inspection, checkedAt }: CheckedAccount, graceDays: number): Section {
  const graceMs = graceDays * dayMs
  const running = inspection.unpaid.filter(
    ({ status, subscriptionEndedAt }) => status === 'open' && subscriptionEndedAt === null,
  )
  const late = running.filter(
    ({ nextAttemptAt, createdAt }) => (nextAttemptAt?.getTime() ?? 0) > createdAt.getTime() + graceMs,
  )
  const abandoned = running.filter(
    ({ nextAttemptAt, attempts, createdAt }) =>
      nextAttemptAt === null && attempts > 0 && createdAt.getTime() + graceMs < checkedAt.getTime(),
  )
  const choice = `Under Billing > Revenue recovery > Retries, choose at most ${graceDays} days, then to cancel the subscription.`
  return {
    title: 'Retries of failed payments',
    findings: [
      ...late.map((invoice) => lateRetry(invoice, graceDays)),
      ...abandoned.map(({ id, subscriptionId }) =>
        todo(`${id} isn't tried again, but ${subscriptionId} hasn't ended. ${choice}`),
      ),
      note(`Stripe's API doesn't show the schedule. ${choice}`),
    ],
  }
}

function lateRetry({ id, nextAttemptAt }: UnpaidInvoice, graceDays: number): Finding {
  const day = nextAttemptAt === null ? '' : ` on ${formatDay(nextAttemptAt)}`
  return todo(
    `${id} is tried again${day}, when the plan has been closed for want of payment (PAYMENT_GRACE_DAYS is ${graceDays}). Retry for fewer days, or raise PAYMENT_GRACE_DAYS.`,
  )
}

/** Checks Stripe Tax, if the site uses it. */
export function checkTax({ inspection: { tax } }: CheckedAccount, isOn: boolean): Section {
  return {
    title: 'Tax',
    findings: isOn ? taxFindings(tax) : [ok('STRIPE_TAX is off: prices are charged as they are.')],
  }
}

function taxFindings(tax: CheckedAccount['inspection']['tax']): Finding[] {
  if (tax === null)
    return [
      note(
        "This key can't read the settings of Stripe Tax. See under Tax that it is set up, with registrations.",
      ),
    ]
  return [
    tax.isReady
      ? ok('Stripe Tax is set up.')
      : todo(
          `Stripe Tax lacks ${tax.missing.join(', ') || 'settings'}, so checkouts fail. Complete it under Tax > Settings.`,
        ),
    tax.registrations > 0
      ? ok(`Stripe Tax collects for ${tax.registrations} registrations.`)
      : todo('Stripe Tax has no active registration, so it adds no tax. Add them under Tax > Registrations.'),
  ]
}
