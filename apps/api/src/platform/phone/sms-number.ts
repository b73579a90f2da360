import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  type NumberType,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'

/** Where a site texts to: the countries, and the one whose new ranges it accepts. Two-letter codes. */
export type SmsNumbers = { countries: readonly string[]; region: string }

/** The reason why a number is not texted. */
export type NumberObstacle = 'country-not-served' | 'not-mobile'

/** Returns whether a country has phone numbers. */
export function isPhoneCountry(code: string): boolean {
  return isSupportedCountry(code)
}

/** Returns why a number in E.164 is not texted; null if it is. Several countries share +1, +7, +44, +590 and others. */
export function numberObstacle(number: string, { countries, region }: SmsNumbers): NumberObstacle | null {
  const parsed = parsePhoneNumberFromString(number)
  if (parsed === undefined) return 'country-not-served'
  const types = countries.map((country) =>
    isSupportedCountry(country) ? typeIn(parsed, country) : undefined,
  )
  if (types.some((type) => type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE')) return null
  if (countries.includes(region) && isNewRange(parsed, region)) return null
  const isServed = countries.some((country) => country === parsed.country) || types.some(Boolean)
  return isServed ? 'not-mobile' : 'country-not-served'
}

/** Returns the type that a number has in a country. The library names only one of the countries that share a range. */
function typeIn(parsed: PhoneNumber, country: CountryCode): NumberType {
  if (parsed.countryCallingCode !== getCountryCallingCode(country)) return undefined
  const local = parsePhoneNumberFromString(parsed.number)
  if (local === undefined) return undefined
  local.country = country
  return local.getType()
}

// In France, their numbers are dialed as if they were French: 0690… is +590 690….
const frenchOverseasCodes = ['262', '590', '594', '596']

/**
 * Returns whether a number may be in a range of this country that the library doesn't know yet. A known range with too
 * many or too few digits is no new one, and neither is one that belongs to a country nearby.
 */
export function isNewRange(parsed: PhoneNumber, region: string): boolean {
  if (!isSupportedCountry(region)) return false
  const { countryCallingCode: code, country, nationalNumber } = parsed
  if (code !== getCountryCallingCode(region)) return false
  if ((country !== undefined && country !== region) || !parsed.isPossible()) return false
  // North American area codes that end in two equal digits belong to no place.
  if (code === '1' && !/^[2-9](\d)(?!\1)\d[2-9]/.test(nationalNumber)) return false
  const plan = new Metadata()
  plan.selectNumberingPlan(region)
  const lengths = plan.numberingPlan?.possibleLengths() ?? []
  const resized = lengths.map((length) => `${code}${nationalNumber.slice(0, length).padEnd(length, '0')}`)
  const overseas = code === '33' ? frenchOverseasCodes.map((each) => `${each}${nationalNumber}`) : []
  return [...resized, ...overseas].every((digits) => {
    return parsePhoneNumberFromString(`+${digits}`)?.getType() === undefined
  })
}
