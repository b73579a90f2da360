import type { Part } from './letter.ts'

/** The lines of a receipt, as a part of a letter. What is null or empty is left out; without any line there is no part. */
export function factsOf(values: Record<string, string | null>): Part[] {
  const lines = Object.entries(values).map(([label, value]) => ({ label, value: value ?? '' }))
  const facts = lines.filter(({ value }) => value !== '')
  return facts.length === 0 ? [] : [{ kind: 'facts', facts }]
}

/** Formats the day that it is in a zone: `December 20, 2026`. */
export function formatDay(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(instant)
}

/** What somebody does who knows nothing of what the mail tells. */
export function asideOf(unknown: string, contact: string): string {
  return `${unknown} Write to us at ${contact}, and we will put it right.`
}
