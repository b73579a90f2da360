import { describePrice, formatBillingDay, type ShownPrice } from '@tidings/contracts/membership/price-text'
import { formatMoney } from '#platform/money.ts'

/** In minor units. */
export type RecurringPrice = {
  amount: number
  taxBehavior?: ShownPrice['taxBehavior'] | undefined
  amounts?: ShownPrice['amounts'] | undefined
  currency: string
  interval: ShownPrice['interval']
}

type Site = { timeZone: string; language?: string }

/** Formats a price: `$4.99 a month`; `$2.50 a month until March 20, 2027, then $4.99 a month, plus tax`. */
export function formatRecurringPrice(price: RecurringPrice, { timeZone, language = 'en-US' }: Site): string {
  const { amount, currency, interval, taxBehavior = null, amounts = [] } = price
  const money = (minor: number) => formatMoney(minor, currency, language)
  if (interval === null) return `${money(amount)}, paid once`
  const steps = amounts.length > 0 ? amounts : [{ from: '', amount, tax: 0 }]
  return describePrice(
    { interval, taxBehavior, amounts: steps },
    { formatMoney: money, formatDay: (instant) => formatBillingDay(instant, timeZone, language) },
  )
}
