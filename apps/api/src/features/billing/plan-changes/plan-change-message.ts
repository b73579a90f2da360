import type { PlanChangeTerms } from '@tidings/contracts/membership/billing'
import { formatBillingDay, formatRecurringPrice } from '#features/mail/index.ts'
import { formatMoney, minorUnits } from '#platform/money.ts'

/** Returns what a plan change means and charges, for its preview or once it is done. */
export function planChangeMessage(
  terms: PlanChangeTerms,
  stage: 'preview' | 'done',
  { timeZone, language }: { timeZone: string; language: string },
): string {
  const { from, to, effective, effectiveAt, amountDue, currency } = terms
  const price = {
    amount: minorUnits(terms.renewalAmount, currency),
    regularAmount: minorUnits(terms.regularAmount, currency),
    currency,
    interval: to.interval,
  }
  const renewal = formatRecurringPrice(price, language)
  if (effective === 'period-end') {
    const day = formatBillingDay(new Date(effectiveAt), timeZone, language)
    return `You keep ${from.planName} until ${day}. Then ${to.planName} starts for ${renewal}.`
  }
  if (from.priceId === to.priceId)
    return stage === 'preview' ? `You'll stay on ${to.planName}.` : `You're staying on ${to.planName}.`
  const charged =
    amountDue === 0 ? 'nothing' : formatMoney(minorUnits(amountDue, currency), currency, language)
  return stage === 'preview'
    ? `${to.planName} starts now. You pay ${charged} today. It renews for ${renewal}.`
    : `${to.planName} has started. You paid ${charged} today. It renews for ${renewal}.`
}
