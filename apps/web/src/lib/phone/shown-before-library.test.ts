import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { expect, it } from 'vitest'
import { groupDigits } from './phone-library.ts'
import { shownBeforeLibrary } from './shown-before-library.ts'

// The numbers whose area code belongs to a country.
const numbers = Array.from({ length: 800 }, (_, index) => `+1${200 + index}5550123`).filter(
  (number) => parsePhoneNumberFromString(number)?.country !== undefined,
)

it('shows every number behind +1 as the phone library will', () => {
  expect(numbers.length).toBeGreaterThan(400)
  const shown = numbers.map((number) => shownBeforeLibrary(number, 'US'))
  expect(shown).toEqual(numbers.map((number) => groupDigits(number, 'US')))
})

it.each([
  ['+442079460958', 'US'],
  ['+1416555012', 'US'],
  ['', 'US'],
  ['+12133734253', 'GB'],
])('leaves %s in %s as it is', (number, region) => {
  expect(shownBeforeLibrary(number, region)).toBe(number)
})
