import { describe, expect, it } from 'vitest'
import { groupDigits, toE164 } from './phone-library.ts'
import { shownBeforeLibrary } from './shown-before-library.ts'

describe('a stored number', () => {
  it.each([
    ['+12133734253', 'US', '(213) 373-4253'],
    ['+19835550123', 'US', '(983) 555-0123'],
  ])('is %s in %s as %s, with and without the phone library', (number, region, shown) => {
    expect(groupDigits(number, region)).toBe(shown)
    expect(shownBeforeLibrary(number, region)).toBe(shown)
    expect(toE164(shown, region)).toBe(number)
  })

  it.each([
    ['+14165550123', 'CA', '(416) 555-0123'],
    ['+447400123456', 'GB', '07400 123456'],
    ['+493012345678', 'DE', '030 12345678'],
    ['+447400123456', 'US', '+44 7400 123456'],
    ['+12133734253', 'GB', '+1 213 373 4253'],
    ['+14165550123', 'US', '+1 416 555 0123'],
    ['+18762101234', 'US', '+1 876 210 1234'],
    ['+12133734253', '', '+1 213 373 4253'],
  ])('is %s in %s as %s once the phone library has loaded', (number, region, shown) => {
    expect(groupDigits(number, region)).toBe(shown)
    expect(toE164(shown, region)).toBe(number)
  })

  it('that is none stays as it is', () => {
    expect(groupDigits('+1213', 'US')).toBe('+1213')
  })
})
