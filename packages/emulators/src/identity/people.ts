import { createHash } from 'node:crypto'

/** Somebody who signs in at a stand-in. `email` is null for one who has none or shows none. */
export type Person = { subject: string; name: string | null; email: string | null; emailVerified: boolean }

/** What came back from the login page: somebody, null for who said no, or why the form cannot be used. */
export type LoginAnswer = { person: Person | null } | { problem: string }

/** The people the login page offers. Two have an address that was verified; Cleo's was not. */
export const seededPeople = {
  ada: personOf('Ada Marlow', 'ada@example.com', true),
  ben: personOf('Ben Okafor', 'ben@example.com', true),
  cleo: personOf('Cleo Lindqvist', 'cleo@example.com', false),
}

/**
 * Reads the login form. Its fields: `person` is `ada`, `ben`, `cleo` or `other`; with `other`, `name` and `email` are
 * taken as typed (one of them may be empty) and `verified` is `on` when the address counts as verified. `answer` is
 * `cancel` to say no; anything else, and nothing, is to go on.
 */
export function readLoginForm(form: URLSearchParams): LoginAnswer {
  if (form.get('answer') === 'cancel') return { person: null }
  const chosen = form.get('person')
  const seeded = Object.entries(seededPeople).find(([key]) => key === chosen)
  if (seeded) return { person: seeded[1] }
  if (chosen !== 'other') return { problem: 'Choose somebody.' }
  const name = form.get('name')?.trim().slice(0, 200) || null
  const email = form.get('email')?.trim() || null
  if (!name && !email) return { problem: 'Type a name, an address, or both.' }
  if (email && !/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email))
    return { problem: 'That is not an e-mail address.' }
  return { person: personOf(name, email, email !== null && form.get('verified') === 'on') }
}

/** The same address is the same person at every sign-in, whatever else is said about them. */
function personOf(name: string | null, email: string | null, emailVerified: boolean): Person {
  const subject = createHash('sha256')
    .update(email?.toLowerCase() ?? `name:${name}`)
    .digest('hex')
    .slice(0, 20)
  return { subject, name, email, emailVerified }
}
