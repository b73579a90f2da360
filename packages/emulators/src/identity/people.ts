import { createHash } from 'node:crypto'

/** A person who signs in. `email` is null when the provider does not share one. */
export type Person = { subject: string; name: string | null; email: string | null; emailVerified: boolean }

/** The result of the login form: a person, null for a cancellation, or an error. */
export type LoginAnswer = { person: Person | null } | { problem: string }

/** The people on the login page. Cleo's address is not verified. */
export const seededPeople = {
  ada: personOf('Ada Marlow', 'ada@example.com', true),
  ben: personOf('Ben Okafor', 'ben@example.com', true),
  cleo: personOf('Cleo Lindqvist', 'cleo@example.com', false),
}

/**
 * Parses the login form. `person` is `ada`, `ben`, `cleo` or `other`; `other` reads `name`, `email` and `verified`.
 * `answer=cancel` cancels.
 */
export function readLoginForm(form: URLSearchParams): LoginAnswer {
  if (form.get('answer') === 'cancel') return { person: null }
  const chosen = form.get('person')
  const seeded = Object.entries(seededPeople).find(([key]) => key === chosen)
  if (seeded) return { person: seeded[1] }
  if (chosen !== 'other') return { problem: 'Choose a person.' }
  const name = form.get('name')?.trim().slice(0, 200) || null
  const email = form.get('email')?.trim() || null
  if (!name && !email) return { problem: 'Enter a name, an email address, or both.' }
  if (email && !/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email)) return { problem: 'Enter a valid email address.' }
  return { person: personOf(name, email, email !== null && form.get('verified') === 'on') }
}

/** Derives the subject from the address, so that it is the same at every sign-in. */
function personOf(name: string | null, email: string | null, emailVerified: boolean): Person {
  const subject = createHash('sha256')
    .update(email?.toLowerCase() ?? `name:${name}`)
    .digest('hex')
    .slice(0, 20)
  return { subject, name, email, emailVerified }
}
