import type { PlanChangeTerms } from '@tidings/contracts/membership/billing'
import { formatBillingDay, totalWithTax } from '@tidings/contracts/membership/price-text'
import { formatMoney, formatPrice, formatRenewal } from '#lib/format/money.ts'

/** The meaning of a plan change: a sentence, and each amount with when it is charged. */
export type ChangeSummary = { sentence: string; amounts: [when: string, amount: string][] }

/** Describes the terms of a plan change. Days are Stripe's, in UTC, as in the site's emails. */
export function summarizeChange(terms: PlanChangeTerms, timeZone: string): ChangeSummary {
  const { from, to, effective, effectiveAt, amountDue, currency, renewalAmount, renewal } = terms
  const isLater = effective === 'period-end'
  const day = formatBillingDay(new Date(effectiveAt), timeZone)
  const today = amountDue === 0 ? 'Nothing' : formatMoney(amountDue, currency)
  const amounts: ChangeSummary['amounts'] = [
    ['Charged today', today],
    [isLater ? `From ${day}` : 'Each renewal', priceOfRenewals()],
  ]
  const total = renewal === undefined ? null : totalWithTax(renewal)
  if (total !== null) amounts.push(['Next payment', formatMoney(total, currency)])
  return { sentence: sentenceOf(), amounts }

  function priceOfRenewals(): string {
    return renewal === undefined
      ? formatPrice(renewalAmount, currency, to.interval)
      : formatRenewal(renewal, currency, timeZone)
  }

  function sentenceOf(): string {
    if (from.priceId === to.priceId) return `You stay on ${to.planName}. The planned change is dropped.`
    if (isLater) return `You keep ${from.planName} until ${day}. Then ${to.planName} starts.`
    const credit = amountDue < to.amount ? ` Your unused ${from.planName} time is credited.` : ''
    return `${to.planName} starts today instead of ${from.planName}.${credit}`
  }
}
