import { decimalsOf, formatMajorUnits, hasEmptyDecimals } from '@tidings/contracts/membership/money'

/** Converts minor to major units: 499 `usd` are 4.99, 499 `jpy` are 499. The currency is an ISO 4217 code in any case. */
export function majorUnits(amount: number, currency: string): number {
  return amount / 10 ** decimalsOf(currency)
}

/** Converts major to minor units. Throws a RangeError, rather than round, for an amount such as 4.99 `jpy`. */
export function minorUnits(amount: number, currency: string): number {
  const exact = amount * 10 ** decimalsOf(currency)
  const whole = Math.round(exact)
  const isWhole = Number.isSafeInteger(whole) && majorUnits(whole, currency) === amount
  const isBroken = hasEmptyDecimals(currency) && whole % 100 !== 0
  if (isWhole && !isBroken) return whole
  throw new RangeError(`${amount} is not an amount in ${currency.toUpperCase()}`)
}

/** Returns whether an amount in major units exists in a currency. */
export function isAmount(amount: number, currency: string): boolean {
  try {
    minorUnits(amount, currency)
    return true
  } catch {
    return false
  }
}

/** Formats an amount in minor units: `$4.99`, `¥499`; in another language as its readers write it. */
export function formatMoney(amount: number, currency: string, language = 'en-US'): string {
  return formatMajorUnits(majorUnits(amount, currency), currency, language)
}
