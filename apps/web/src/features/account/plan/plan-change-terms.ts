import type { PlanChangeTerms } from '@tidings/contracts/membership/billing'
import { formatMoney, formatPrice } from '#lib/money.ts'
import { formatBillingDay } from './plan-state.ts'

/** What a plan change means: a sentence, and each amount with when it is charged. */
export type ChangeSummary = { sentence: string; amounts: [when: string, amount: string][] }

/** Describes the terms of a plan change. Days are those of the site's time zone, as in its emails. */
export function summarizeChange(terms: PlanChangeTerms, timeZone: string): ChangeSummary {
  const { from, to, effective, effectiveAt, amountDue, currency, renewalAmount, regularAmount } = terms
  const isLater = effective === 'period-end'
  const day = formatBillingDay(effectiveAt, timeZone)
  const renewal = formatPrice(renewalAmount, currency, to.interval)
  const today = amountDue === 0 ? 'Nothing' : formatMoney(amountDue, currency)
  const amounts: ChangeSummary['amounts'] = [
    ['Charged today', today],
    [isLater ? `From ${day}` : 'Each renewal', renewal],
  ]
  if (regularAmount !== renewalAmount)
    amounts.push(['After your discount', formatPrice(regularAmount, currency, to.interval)])
  return { sentence: sentenceOf(), amounts }

  function sentenceOf(): string {
    if (from.priceId === to.priceId) return `You stay on ${to.planName}. The planned change is dropped.`
    if (isLater) return `You keep ${from.planName} until ${day}. Then ${to.planName} starts.`
    const credit = amountDue < to.amount ? ` Your unused ${from.planName} time is credited.` : ''
    return `${to.planName} starts today instead of ${from.planName}.${credit}`
  }
}
