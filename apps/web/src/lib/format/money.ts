import { formatMajorUnits } from '@tidings/contracts/membership/money'
import type { Plan } from '@tidings/contracts/membership/plans'
import {
  describePrice,
  formatBillingDay,
  type ShownPrice,
  withTax,
} from '@tidings/contracts/membership/price-text'

/** Formats an amount in major units with its currency, as the reader's language writes it: '$4.99'. */
export function formatMoney(amount: number, currency: string): string {
  return formatMajorUnits(amount, currency, undefined)
}

/** Formats what a plan costs: '$4.99 a month'. A one-time price has no interval. */
export function formatPrice(amount: number, currency: string, interval: string | null): string {
  const money = formatMoney(amount, currency)
  if (interval === null) return money
  return `${money} a ${interval === 'YEARLY' ? 'year' : 'month'}`
}

/** Formats what a plan is sold for, before discounts: '$4.99 a month plus tax'. */
export function formatOffer({ amount, currency, interval, taxBehavior }: Plan['prices'][number]): string {
  return withTax(formatPrice(amount, currency, interval?.type ?? null), taxBehavior ?? null)
}

/** Formats what the next payments charge: '$2.49 a month until March 20, 2027, then $4.99 a month'. */
export function formatRenewal(renewal: ShownPrice, currency: string, timeZone: string): string {
  return describePrice(renewal, {
    formatMoney: (amount) => formatMoney(amount, currency),
    formatDay: (instant) => formatBillingDay(instant, timeZone),
  })
}
