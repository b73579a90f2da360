import { formatMoney } from '../../../platform/money.ts'
import type { Mail } from '../mailer.ts'
import type { Part } from './letter.ts'

type Price = Pick<Extract<Mail, { kind: 'subscribed' }>, 'amount' | 'currency' | 'interval'>

/** The lines of a receipt, as a part of a letter. What is null or empty is left out; without any line there is no part. */
export function factsOf(values: Record<string, string | null>): Part[] {
  const lines = Object.entries(values).map(([label, value]) => ({ label, value: value ?? '' }))
  const facts = lines.filter(({ value }) => value !== '')
  return facts.length === 0 ? [] : [{ kind: 'facts', facts }]
}

/** `$4.99 a month`. */
export function formatPrice({ amount, currency, interval }: Price): string {
  const money = formatMoney(amount, currency)
  if (interval === null) return `${money}, paid once`
  return interval === 'MONTHLY' ? `${money} a month` : `${money} a year`
}

/** The day that it is in the zone, in words: `December 20, 2026`. */
export function formatDay(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(instant)
}

/** What somebody does who knows nothing of what the mail tells. */
export function asideOf(unknown: string, contact: string): string {
  return `${unknown} Write to us at ${contact}, and we will put it right.`
}
