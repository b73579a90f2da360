/** The amount of payments from a day on, after discounts and with tax; `tax` is the part of it that is tax. */
export type PriceStep = { from: string; amount: number; tax: number }

export type TaxBehavior = 'exclusive' | 'inclusive'

/** The price of the next payments: one step for each amount, in order. */
export type ShownPrice = {
  interval: 'MONTHLY' | 'YEARLY' | null
  /** Whether tax is added to the price or included in it; null for no tax. */
  taxBehavior: TaxBehavior | null
  amounts: readonly PriceStep[]
}

type Formats = { formatMoney(amount: number): string; formatDay(instant: Date): string }

const intervalTexts = { MONTHLY: ' a month', YEARLY: ' a year' }
const taxTexts = { exclusive: 'plus tax', inclusive: 'including tax' }

/** Formats a price with the end of its discounts: `$2.49 a month until March 20, 2027, then $4.99 a month, plus tax`. */
export function describePrice(
  { interval, taxBehavior, amounts }: ShownPrice,
  { formatMoney, formatDay }: Formats,
): string {
  const rate = interval === null ? '' : intervalTexts[interval]
  const steps = amounts.map((step, position) => {
    const next = amounts[position + 1]
    const until = next === undefined ? '' : ` until ${formatDay(new Date(next.from))}`
    return `${formatMoney(shownAmount(step, taxBehavior))}${rate}${until}`
  })
  const price = steps.join(', then ')
  return steps.length > 1 && taxBehavior !== null
    ? `${price}, ${taxTexts[taxBehavior]}`
    : withTax(price, taxBehavior)
}

/** Adds what a price says about tax: `$4.99 a month plus tax`. */
export function withTax(price: string, taxBehavior: TaxBehavior | null): string {
  return taxBehavior === null ? price : `${price} ${taxTexts[taxBehavior]}`
}

/** Returns what the next payment charges if the price doesn't say it, because tax is added. */
export function totalWithTax({ taxBehavior, amounts }: ShownPrice): number | null {
  const next = amounts[0]
  return taxBehavior !== 'exclusive' || next === undefined || next.tax === 0 ? null : next.amount
}

function shownAmount({ amount, tax }: PriceStep, taxBehavior: TaxBehavior | null): number {
  return taxBehavior === 'exclusive' ? amount - tax : amount
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
