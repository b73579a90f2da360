import { getCountries, getExampleNumber } from 'libphonenumber-js/max'
import mobileExamples from 'libphonenumber-js/mobile/examples'
import { describe, expect, it } from 'vitest'
import { parsePhoneNumber } from './phone-number.ts'
import { numberObstacle } from './sms-number.ts'

/** Returns what keeps a typed number from being texted, for a site that serves these countries. */
function obstacleOf(typed: string, served: string) {
  const [region = '', ...others] = served.split(',')
  const number = parsePhoneNumber(typed, region)
  return number === null ? 'invalid' : numberObstacle(number, { region, countries: [region, ...others] })
}

describe('numberObstacle', () => {
  it('serves the mobile numbers of each country that has them, when it is the only one', () => {
    const countries = getCountries().filter((country) => getExampleNumber(country, mobileExamples))
    expect(countries.length).toBeGreaterThan(230)
    const refused = countries.filter((country) => {
      const number = getExampleNumber(country, mobileExamples)?.number ?? ''
      return numberObstacle(number, { region: country, countries: [country] }) !== null
    })
    expect(refused).toEqual([])
  })

  it('refuses them where only countries with other calling codes are served', () => {
    const served = { region: 'DE', countries: ['DE', 'JP'] }
    const accepted = getCountries().filter((country) => {
      const number = getExampleNumber(country, mobileExamples)?.number ?? ''
      return country !== 'DE' && country !== 'JP' && numberObstacle(number, served) === null
    })
    expect(accepted).toEqual([])
  })

  it.each([
    // +1 is many countries.
    ['213 373 4253', 'US', null],
    ['+1 213 373 4253', 'US', null],
    ['+1 (202) 555-0123', 'US', null],
    ['876 210 1234', 'US', 'country-not-served'],
    ['+1 876 210 1234', 'US', 'country-not-served'],
    ['+1 658 234 5678', 'US', 'country-not-served'],
    ['809 234 5678', 'US', 'country-not-served'],
    ['+1 829 234 5678', 'US', 'country-not-served'],
    ['+1 242 359 1234', 'US', 'country-not-served'],
    // Not in the library's lists, but in the Bahamas by its area code.
    ['+1 242 555 1234', 'US', 'country-not-served'],
    ['+1 721 555 1234', 'US', 'country-not-served'],
    ['+1 787 234 5678', 'US', 'country-not-served'],
    ['+1 787 234 5678', 'US,PR', null],
    ['416 234 5678', 'US', 'country-not-served'],
    ['416 234 5678', 'CA', null],
    ['+1 213 373 4253', 'CA', 'country-not-served'],
    ['+1 876 210 1234', 'US,JM', null],
    // Belong to no place.
    ['800 234 5678', 'US', 'not-mobile'],
    ['+1 888 234 5678', 'CA', 'not-mobile'],
    ['+1 900 234 5678', 'US', 'not-mobile'],
    ['+1 500 234 5678', 'US', 'not-mobile'],
    ['+1 822 234 5678', 'US', 'country-not-served'],
    ['+1 700 234 5678', 'US', 'country-not-served'],
    // A new area code.
    ['383 234 5678', 'US', null],
    ['383 234 5678', 'CA', null],
    ['+1 383 234 5678', 'GB', 'country-not-served'],
    // +44 has islands of its own.
    ['07400 123456', 'GB', null],
    ['+44 7400 123456', 'GB', null],
    ['07797 712345', 'GB', 'country-not-served'],
    ['07781 123456', 'GB', 'country-not-served'],
    ['07624 123456', 'GB', 'country-not-served'],
    ['07797 712345', 'GB,JE', null],
    ['07700 900123', 'GB', null],
    ['070 1234 5678', 'GB', 'not-mobile'],
    ['0909 8790123', 'GB', 'not-mobile'],
    ['0843 123 4567', 'GB', 'not-mobile'],
    ['055 1234 5678', 'GB', 'not-mobile'],
    ['056 1234 5678', 'GB', 'not-mobile'],
    ['020 7946 0958', 'GB', 'not-mobile'],
    // Other shared codes.
    ['8 916 123 45 67', 'RU', null],
    ['+7 701 123 4567', 'RU', 'country-not-served'],
    ['8 701 123 45 67', 'KZ', null],
    ['312 345 6789', 'IT', null],
    ['06 698 12345', 'IT', 'country-not-served'],
    ['06 612 345 678', 'IT', 'not-mobile'],
    ['0690 00 12 34', 'FR', 'invalid'],
    ['+33 692 12 34 56', 'FR', 'invalid'],
    ['+590 690 00 12 34', 'FR', 'country-not-served'],
    ['+590 690 00 12 34', 'MF', null],
    ['+262 692 12 34 56', 'FR', 'country-not-served'],
    ['+262 692 12 34 56', 'YT', 'country-not-served'],
    ['+47 412 34 567', 'SJ', null],
    ['+61 8 9164 1234', 'AU', 'country-not-served'],
    // Costly and special numbers of the own country.
    ['0151 23456789', 'DE', null],
    ['030 901820', 'DE', 'not-mobile'],
    ['0900 1 123456', 'DE', 'not-mobile'],
    ['0180 1 234567', 'DE', 'not-mobile'],
    ['0700 12345678', 'DE', 'not-mobile'],
    ['0164 12345', 'DE', 'not-mobile'],
    ['0800 1234567', 'DE', 'not-mobile'],
    ['06 12 34 56 78', 'FR', null],
    ['08 92 12 34 56', 'FR', 'not-mobile'],
    ['09 12 34 56 78', 'FR', 'not-mobile'],
    // A known range with a wrong length, and a new range.
    ['0900 1 12345', 'DE', 'invalid'],
    ['0151 2345', 'DE', 'invalid'],
    ['07 00 00 01 23', 'FR', null],
    ['+33 7 00 00 01 23', 'US', 'invalid'],
    // Satellites, networks without a country, and international premium and toll-free numbers.
    ['+881 6 1234 5678', 'US', 'country-not-served'],
    ['+882 16 1234567', 'US', 'country-not-served'],
    ['+883 5100 12345678', 'US', 'country-not-served'],
    ['+870 773 123 456', 'US', 'country-not-served'],
    ['+800 1234 5678', 'US', 'country-not-served'],
    ['+808 1234 5678', 'US', 'country-not-served'],
    // Countries in which pumping is common.
    ['+371 27123456', 'US', 'country-not-served'],
    ['+53 5 234 5678', 'US', 'country-not-served'],
    ['+252 61 2345678', 'US', 'country-not-served'],
    ['+216 20 123 456', 'US', 'country-not-served'],
    ['+94 77 123 4567', 'US', 'country-not-served'],
    ['+92 300 1234567', 'US', 'country-not-served'],
    ['011 234 803 123 4567', 'US', 'country-not-served'],
    ['00 234 803 123 4567', 'GB', 'country-not-served'],
    // From contact cards.
    ['\u202a+44\u00a0(0)7400\u2011123456\u202c', 'GB', null],
    ['tel:+44-7400-123456', 'US,GB', null],
    ['\u2068+1\u00a0876\u00a0210\u20111234\u2069', 'US', 'country-not-served'],
    ['＋１ ８７６ ２１０ １２３４', 'US', 'country-not-served'],
    ['+1 213 373 4253 ext. 5', 'US', 'invalid'],
    ['1-800-FLOWERS', 'US', 'invalid'],
  ] as const)('%j on a site for %s: %s', (typed, served, obstacle) => {
    expect(obstacleOf(typed, served)).toBe(obstacle)
  })
})
