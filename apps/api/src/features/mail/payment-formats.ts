import { formatMoney } from '#platform/money.ts'

/** In minor units; `regularAmount` is the price after temporary discounts. */
type RecurringPrice = {
  amount: number
  regularAmount?: number | undefined
  currency: string
  interval: 'MONTHLY' | 'YEARLY' | null
}

/** Formats a price: `$4.99 a month`; `$2.50 a month while your discount lasts, then $4.99 a month`. */
export function formatRecurringPrice({ amount, regularAmount, currency, interval }: RecurringPrice): string {
  const money = formatMoney(amount, currency)
  if (interval === null) return `${money}, paid once`
  const price = `${money} a ${interval === 'MONTHLY' ? 'month' : 'year'}`
  if (regularAmount === undefined || regularAmount === amount) return price
  const regular = formatRecurringPrice({ amount: regularAmount, currency, interval })
  return `${price} while your discount lasts, then ${regular}`
}

/**
 * Formats the day of a payment: `December 20, 2026`. Days are in UTC, like Stripe's (ADR 0029); `(UTC)` is added where
 * the site's zone has another day.
 */
export function formatBillingDay(instant: Date, siteTimeZone: string): string {
  const [day, siteDay] = ['UTC', siteTimeZone].map((timeZone) =>
    new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(instant),
  )
  return day === siteDay ? `${day}` : `${day} (UTC)`
}
