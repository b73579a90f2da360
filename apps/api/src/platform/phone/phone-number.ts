import { phoneNumberText } from '@tidings/contracts/membership/field-rules'
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { isNewRange } from './sms-number.ts'

const northAmericanNumber = /^[2-9]\d{2}[2-9]\d{6}$/

/** Parses a phone number to E.164; null for any other text. `region` applies to numbers without a country code. */
export function parsePhoneNumber(text: string, region: string): string | null {
  const number = phoneNumberText(text)
  if (number === null) return null
  const parsed = parsePhoneNumberFromString(number, { defaultCountry: countryOf(region), extract: false })
  if (parsed === undefined) return null
  // NOTE: the library lacks new ranges. In North America, any well-formed number is valid.
  const plausible =
    (parsed.countryCallingCode === '1' && northAmericanNumber.test(parsed.nationalNumber)) ||
    isNewRange(parsed, region)
  return parsed.isValid() || plausible ? parsed.number : null
}

function countryOf(region: string): CountryCode {
  return isSupportedCountry(region) ? region : 'US'
}
