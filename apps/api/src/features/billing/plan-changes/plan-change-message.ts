import type { PlanChangeTerms } from '@tidings/contracts/membership/billing'
import { formatMajorUnits } from '@tidings/contracts/membership/money'
import { describePrice, formatBillingDay } from '@tidings/contracts/membership/price-text'

/** Returns what a plan change means and charges, for its preview or once it is done. */
export function planChangeMessage(
  terms: PlanChangeTerms,
  stage: 'preview' | 'done',
  { timeZone, language }: { timeZone: string; language: string },
): string {
  const { from, to, effective, effectiveAt, amountDue, currency } = terms
  const money = (major: number) => formatMajorUnits(major, currency, language)
  const amounts = [{ from: effectiveAt, amount: terms.renewalAmount, tax: 0 }]
  const renewal = describePrice(terms.renewal ?? { interval: to.interval, taxBehavior: null, amounts }, {
    formatMoney: money,
    formatDay: (instant) => formatBillingDay(instant, timeZone, language),
  })
  if (effective === 'period-end') {
    const day = formatBillingDay(new Date(effectiveAt), timeZone, language)
    return `You keep ${from.planName} until ${day}. Then ${to.planName} starts for ${renewal}.`
  }
  if (from.priceId === to.priceId)
    return stage === 'preview' ? `You'll stay on ${to.planName}.` : `You're staying on ${to.planName}.`
  const charged = amountDue === 0 ? 'nothing' : money(amountDue)
  return stage === 'preview'
    ? `${to.planName} starts now. You pay ${charged} today. It renews for ${renewal}.`
    : `${to.planName} has started. You paid ${charged} today. It renews for ${renewal}.`
}
