/** The result of one check: `todo` must be done, and a `note` is for people to look at. */
export type Finding = { level: 'ok' | 'note' | 'todo'; text: string }

export type Section = { title: string; findings: readonly Finding[] }

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const note = (text: string): Finding => ({ level: 'note', text })
export const todo = (text: string): Finding => ({ level: 'todo', text })

/** Formats an instant as a day in UTC, as at Stripe: 2026-11-20. */
export function formatDay(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}
