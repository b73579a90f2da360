import { expect, it } from 'vitest'
import { seenText } from './seen-text.ts'

const now = new Date('2026-11-20T22:00:00Z')
const person = { id: '0193a000-0000-7000-8000-000000000001', name: 'Ines', roles: [], email: null }

it.for([
  [{ passkeys: 2, lastSeenAt: '2026-11-20T21:59:00.000Z' }, 'Here now · 2 passkeys'],
  [{ passkeys: 1, lastSeenAt: '2026-11-19T20:00:00.000Z' }, '1 day ago · 1 passkey'],
  [{ passkeys: 0, lastSeenAt: null }, 'Signed out · no passkey'],
] as const)('says when a person was here: %o', ([logins, text]) => {
  expect(seenText({ ...person, ...logins }, now)).toBe(text)
})
