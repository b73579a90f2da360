import { normalizePhone } from '@tidings/contracts/membership/typed-text'
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Returns the number in E.164, or null when it cannot be a complete number. */
export function toE164(text: string, region: string): string | null {
  return parse(text, region)?.number ?? null
}

/** Groups a number as people of its country do, with the country code for those of other countries. */
export function groupDigits(text: string, region: string): string {
  const number = parse(text, region)
  if (number === null) return text
  return number.country === region ? number.formatNational() : number.formatInternational()
}

function parse(text: string, region: string) {
  const number = parsePhoneNumberFromString(
    normalizePhone(text),
    isSupportedCountry(region) ? region : undefined,
  )
  return number?.isPossible() === true ? number : null
}
