import type { Part } from './letter.ts'

/** The lines of a receipt, as a part of a letter. What is null or empty is left out; without any line there is no part. */
export function factsOf(values: Record<string, string | null>): Part[] {
  const lines = Object.entries(values).map(([label, value]) => ({ label, value: value ?? '' }))
  const facts = lines.filter(({ value }) => value !== '')
  return facts.length === 0 ? [] : [{ kind: 'facts', facts }]
}

/** What somebody does who knows nothing of what the mail tells. */
export function asideOf(unknown: string, contact: string): string {
  return `${unknown} Write to us at ${contact}, and we will put it right.`
}
