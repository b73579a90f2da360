import { limits } from '@tidings/contracts/limits'
import { loginRequest } from '@tidings/contracts/membership/auth'
import {
  fitsCustomField,
  isEmailAddress,
  newPasswordProblem,
} from '@tidings/contracts/membership/field-rules'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readEmail, readNewPassword } from './credentials.ts'

const seed = 33
const isTaken = (read: () => unknown) => {
  try {
    read()
    return true
  } catch {
    return false
  }
}
// Real addresses, with pieces that make some of them wrong.
const address = fc
  .tuple(
    fc.oneof(fc.emailAddress(), fc.string({ unit: 'grapheme', maxLength: 20 })),
    fc.constantFrom('', ' ', '.', '@', '<', '\u200b', 'ü', '\n'),
    fc.nat({ max: 30 }),
  )
  .map(([text, piece, at]) => text.slice(0, at) + piece + text.slice(at))

it('the browser and the server take the same email addresses', () => {
  fc.assert(
    fc.property(address, (text) => {
      expect(isTaken(() => readEmail(text))).toBe(isEmailAddress(text))
    }),
    { seed, numRuns: 2000 },
  )
})

it('an address that the browser takes fits into the request', () => {
  fc.assert(
    fc.property(address, (email) => {
      if (isEmailAddress(email)) expect(loginRequest.safeParse({ email, password: 'x' }).success).toBe(true)
    }),
    { seed, numRuns: 2000 },
  )
})

it('the browser and the server take the same new passwords', () => {
  const { min, max } = limits.passwordCharacters
  const unit = fc.constantFrom('a', ' ', 'é', 'e\u0301', '👩‍🚀', '字')
  const password = fc.oneof(
    fc.string({ unit, maxLength: min + 2 }),
    fc.string({ unit, minLength: max - 20, maxLength: max + 20 }),
  )
  fc.assert(
    fc.property(password, (text) => {
      expect(isTaken(() => readNewPassword(text))).toBe(newPasswordProblem(text) === null)
    }),
    { seed, numRuns: 1000 },
  )
})

it('names of every length that the server stores fit', () => {
  const max = limits.customFieldCharacters
  expect([max, max + 1].map((length) => fitsCustomField('x'.repeat(length)))).toEqual([true, false])
})
