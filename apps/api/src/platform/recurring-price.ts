import { formatMoney } from './money.ts'

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
