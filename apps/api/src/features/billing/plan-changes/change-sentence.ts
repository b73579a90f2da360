import type { PlanChangeTerms } from '@tidings/contracts/billing'
import { formatMoney, minorUnits } from '../../../platform/money.ts'

/**
 * What a plan change means, as a sentence for the member: before it is made (`is`), or after (`was`). Days are those of
 * the zone, as in mails.
 */
export function sentenceOf(terms: PlanChangeTerms, tense: 'is' | 'was', timeZone: string): string {
  const { from, to, effective, effectiveAt, amountDue, currency } = terms
  if (effective === 'period-end') {
    return `You keep ${from.planName} until ${dayOf(effectiveAt, timeZone)}. Then ${to.planName} begins, for ${priceOf(to)}.`
  }
  if (from.priceId === to.priceId) {
    return tense === 'is' ? `You would stay with ${to.planName}.` : `You stay with ${to.planName}.`
  }
  const charged = amountDue === 0 ? 'Nothing' : formatMoney(minorUnits(amountDue, currency), currency)
  return tense === 'is'
    ? `${to.planName} begins at once. ${charged} is charged today; after that it is ${priceOf(to)}.`
    : `${to.planName} has begun. ${charged} was charged; from now on it is ${priceOf(to)}.`
}

function priceOf({ amount, currency, interval }: PlanChangeTerms['to']): string {
  const money = formatMoney(minorUnits(amount, currency), currency)
  if (interval === null) return money
  return `${money} a ${interval === 'MONTHLY' ? 'month' : 'year'}`
}

function dayOf(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(new Date(iso))
}
