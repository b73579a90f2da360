// How many decimals a currency's amounts have where Stripe takes and tells them; all others have two.
const withoutDecimals = new Set([
  ...['bif', 'clp', 'djf', 'gnf', 'jpy', 'kmf', 'krw', 'mga'],
  ...['pyg', 'rwf', 'vnd', 'vuv', 'xaf', 'xof', 'xpf'],
])
const withThreeDecimals = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])
// NOTE: nobody pays fractions of these, and still their amounts have two decimals, which are always 00.
const withTwoEmptyDecimals = new Set(['isk', 'ugx'])

function decimalsOf(currency: string): 0 | 2 | 3 {
  const code = currency.toLowerCase()
  if (withoutDecimals.has(code)) return 0
  return withThreeDecimals.has(code) ? 3 : 2
}

/** 499 of `usd` are 4.99, and 499 of `jpy` are 499. The currency is an ISO 4217 code in letters of either case. */
export function majorUnits(amount: number, currency: string): number {
  return amount / 10 ** decimalsOf(currency)
}

/**
 * 4.99 of `usd` are 499, and 499 of `jpy` are 499. Throws a RangeError for an amount that the currency has no coins
 * for, such as 4.99 of `jpy`: it is not rounded to what nobody has asked for.
 */
export function minorUnits(amount: number, currency: string): number {
  const exact = amount * 10 ** decimalsOf(currency)
  const whole = Math.round(exact)
  const isWhole = Number.isSafeInteger(whole) && majorUnits(whole, currency) === amount
  const isBroken = withTwoEmptyDecimals.has(currency.toLowerCase()) && whole % 100 !== 0
  if (isWhole && !isBroken) return whole
  throw new RangeError(`${amount} is no amount of ${currency.toUpperCase()}`)
}

/** Whether a currency has coins for an amount in major units. */
export function isAmount(amount: number, currency: string): boolean {
  try {
    minorUnits(amount, currency)
    return true
  } catch {
    return false
  }
}

/** An amount in minor units as people read it: `$4.99`, `¥499`. */
export function formatMoney(amount: number, currency: string): string {
  const decimals = decimalsOf(currency)
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    trailingZeroDisplay: withTwoEmptyDecimals.has(currency.toLowerCase()) ? 'stripIfInteger' : 'auto',
  }).format(majorUnits(amount, currency))
}
