// Decimals of currencies at Stripe; all others have two.
const withoutDecimals = new Set([
  ...['bif', 'clp', 'djf', 'gnf', 'jpy', 'kmf', 'krw', 'mga'],
  ...['pyg', 'rwf', 'vnd', 'vuv', 'xaf', 'xof', 'xpf'],
])
const withThreeDecimals = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])
// NOTE: at Stripe these have two decimals that are always 00.
const withTwoEmptyDecimals = new Set(['isk', 'ugx'])

/** Returns the decimals of a currency at Stripe, which differ from those of Intl. Takes an ISO 4217 code in any case. */
export function decimalsOf(currency: string): 0 | 2 | 3 {
  const code = currency.toLowerCase()
  if (withoutDecimals.has(code)) return 0
  return withThreeDecimals.has(code) ? 3 : 2
}

/** Returns whether the decimals of a currency are always 00 at Stripe. */
export function hasEmptyDecimals(currency: string): boolean {
  return withTwoEmptyDecimals.has(currency.toLowerCase())
}

/** Formats an amount in major units as it is charged: `$4.99`, `¥499`. Undefined: the language of the reader. */
export function formatMajorUnits(amount: number, currency: string, language: string | undefined): string {
  const decimals = decimalsOf(currency)
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    trailingZeroDisplay: hasEmptyDecimals(currency) ? 'stripIfInteger' : 'auto',
  }).format(amount)
}
