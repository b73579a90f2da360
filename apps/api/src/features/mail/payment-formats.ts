import { formatMoney } from '#platform/money.ts'

/** In minor units; `regularAmount` is the price after temporary discounts. */
export type RecurringPrice = {
  amount: number
  regularAmount?: number | undefined
  currency: string
  interval: 'MONTHLY' | 'YEARLY' | null
}

/** Formats a price: `$4.99 a month`; `$2.50 a month while your discount lasts, then $4.99 a month`. */
export function formatRecurringPrice(price: RecurringPrice, language = 'en-US'): string {
  const { amount, regularAmount, currency, interval } = price
  const money = formatMoney(amount, currency, language)
  if (interval === null) return `${money}, paid once`
  const current = `${money} a ${interval === 'MONTHLY' ? 'month' : 'year'}`
  if (regularAmount === undefined || regularAmount === amount) return current
  const regular = formatRecurringPrice({ amount: regularAmount, currency, interval }, language)
  return `${current} while your discount lasts, then ${regular}`
}

/**
 * Formats the day of a payment: `December 20, 2026`. Days are in UTC, like Stripe's (ADR 0029); `(UTC)` is added where
 * the site's zone has another day.
 */
export function formatBillingDay(instant: Date, siteTimeZone: string, language = 'en-US'): string {
  const [day, siteDay] = ['UTC', siteTimeZone].map((timeZone) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(instant),
  )
  return day === siteDay ? `${day}` : `${day} (UTC)`
}
