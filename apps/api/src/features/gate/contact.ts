import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { parseEmailAddress } from '#platform/email-address.ts'

/** A contact from the entry box, normalized. */
export type Contact = { kind: 'email' | 'phone'; value: string }

const northAmericanNumber = /^[2-9]\d{2}[2-9]\d{6}$/

/** Parses an email address or a phone number. `region` applies to numbers without a country code. */
export function parseContact(text: string, region: string): Contact | null {
  const trimmed = text.normalize('NFKC').trim()
  if (!trimmed.includes('@')) return parsePhone(trimmed, region)
  const address = parseEmailAddress(trimmed)
  return address === null ? null : { kind: 'email', value: address }
}

function parsePhone(text: string, region: string): Contact | null {
  const number = text.replace(/^tel:/i, '').replace(/^00(?=[1-9])/, '+')
  if (!/^[+(\d][\d\s().\-/+]*$/.test(number)) return null
  const parsed = parsePhoneNumberFromString(number, { defaultCountry: countryOf(region), extract: false })
  if (parsed === undefined) return null
  // NOTE: the library lacks new area codes, so any well-formed North American number is valid.
  const plausible = parsed.countryCallingCode === '1' && northAmericanNumber.test(parsed.nationalNumber)
  return parsed.isValid() || plausible ? { kind: 'phone', value: parsed.number } : null
}

function countryOf(region: string): CountryCode {
  return isSupportedCountry(region) ? region : 'US'
}
