/** Formats an amount in major units with its currency, as the reader's language writes it: '$4.99'. */
export function formatMoney(amount: number, currency: string): string {
  return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount)
}

/** Formats what a plan costs: '$4.99 a month'. A one-time price has no interval. */
export function formatPrice(amount: number, currency: string, interval: string | null): string {
  const money = formatMoney(amount, currency)
  if (interval === null) return money
  return `${money} a ${interval === 'YEARLY' ? 'year' : 'month'}`
}
