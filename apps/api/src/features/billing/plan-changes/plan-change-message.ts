import type { PlanChangeTerms } from '@tidings/contracts/billing'
import { formatBillingDay } from '#platform/billing-day.ts'
import { formatMoney, minorUnits } from '#platform/money.ts'
import { formatRecurringPrice } from '#platform/recurring-price.ts'

/** Says what a plan change means and charges: before it is made (`is`), or after (`was`). */
export function planChangeMessage(terms: PlanChangeTerms, tense: 'is' | 'was', timeZone: string): string {
  const { from, to, effective, effectiveAt, amountDue, currency } = terms
  if (effective === 'period-end') {
    const day = formatBillingDay(new Date(effectiveAt), timeZone)
    return `You keep ${from.planName} until ${day}. Then ${to.planName} begins, for ${renewalOf(terms)}.`
  }
  if (from.priceId === to.priceId) {
    return tense === 'is' ? `You would stay with ${to.planName}.` : `You stay with ${to.planName}.`
  }
  const charged = amountDue === 0 ? 'Nothing' : formatMoney(minorUnits(amountDue, currency), currency)
  return tense === 'is'
    ? `${to.planName} begins at once. ${charged} is charged today; after that it is ${renewalOf(terms)}.`
    : `${to.planName} has begun. ${charged} was charged; from now on it is ${renewalOf(terms)}.`
}

function renewalOf({ to, renewalAmount, regularAmount, currency }: PlanChangeTerms): string {
  return formatRecurringPrice({
    amount: minorUnits(renewalAmount, currency),
    regularAmount: minorUnits(regularAmount, currency),
    currency,
    interval: to.interval,
  })
}
