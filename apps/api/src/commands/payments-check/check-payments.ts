import { receiveStripeEvent } from '@tidings/contracts/membership/billing'
import type { Config } from '#config/config.ts'
import type { CheckedAccount } from '#features/billing/index.ts'
import { checkAccount } from './account-findings.ts'
import type { Finding, Section } from './finding.ts'
import { checkLeftovers } from './leftover-findings.ts'
import { checkSales } from './sales-findings.ts'
import { checkCards, checkRetries, checkTax } from './settings-findings.ts'
import { checkWebhooks } from './webhook-findings.ts'

const marks = { ok: '✓', note: 'note:', todo: 'TO DO:' } as const

type Settings = Pick<Config, 'payments' | 'site'>

/** Compares the account with what the site needs. Returns text and sections, and whether nothing must be done. */
export function checkPayments(account: CheckedAccount, { payments, site }: Settings) {
  const sections = [
    checkAccount(account),
    checkSales(account),
    checkWebhooks(account, {
      webhookUrl: new URL(receiveStripeEvent.path, site.url),
      secrets: payments.stripe?.webhookSecrets.length ?? 0,
    }),
    checkCards(account),
    checkRetries(account, payments.graceDays),
    checkTax(account, payments.stripe?.tax != null),
    checkLeftovers(account),
  ]
  const count = sections.flatMap(({ findings }) => findings).filter(({ level }) => level === 'todo').length
  const conclusion =
    count === 0 ? 'Nothing must be done.' : `${count} ${count === 1 ? 'thing' : 'things'} must be done.`
  const text = `${[...sections.map(format), conclusion].join('\n\n')}\n`
  return { text, sections, isComplete: count === 0 }
}

/** Returns what `tidings payments sync` says about settings that only the dashboard changes. */
export function adviceOn(account: CheckedAccount, { payments }: Pick<Settings, 'payments'>): string[] {
  return [checkCards(account), checkRetries(account, payments.graceDays)]
    .flatMap(({ findings }) => findings)
    .filter(({ level }) => level !== 'ok')
    .map(lineOf)
}

function format({ title, findings }: Section): string {
  return [title, ...findings.map((finding) => `  ${lineOf(finding)}`)].join('\n')
}

function lineOf({ level, text }: Finding): string {
  return `${marks[level]} ${text}`
}
