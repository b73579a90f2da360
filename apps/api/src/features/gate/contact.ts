import { domainToASCII } from 'node:url'
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** What somebody left in the entry box, in the one spelling that is stored. */
export type Contact = { kind: 'email' | 'phone'; value: string }

// No white space, nothing that has a meaning in addresses, and no character that cannot be seen or stored.
const mailbox = /^[^\s\p{C}@"(),:;<>[\\\]]{1,64}$/u
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/
const domainCharacters = /^[\p{L}\p{M}\p{N}.-]+$/u
const northAmericanNumber = /^[2-9]\d{2}[2-9]\d{6}$/

/** Reads an e-mail address or a phone number; null when it is neither. `region` is where bare numbers are from. */
export function parseContact(text: string, region: string): Contact | null {
  const trimmed = text.normalize('NFKC').trim()
  return trimmed.includes('@') ? parseEmail(trimmed) : parsePhone(trimmed, region)
}

function parseEmail(text: string): Contact | null {
  const address = text.replace(/^mailto:/i, '')
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).toLowerCase()
  const host = toAsciiDomain(address.slice(at + 1).toLowerCase())
  const valid = mailbox.test(local) && !/^\.|\.\.|\.$/.test(local) && host.length <= 253 && domain.test(host)
  return valid ? { kind: 'email', value: `${local}@${host}` } : null
}

/** Node reads a domain as a browser reads an address, and would drop a path or undo escapes. */
function toAsciiDomain(text: string): string {
  return domainCharacters.test(text) ? domainToASCII(text) : ''
}

function parsePhone(text: string, region: string): Contact | null {
  const number = text.replace(/^tel:/i, '').replace(/^00(?=[1-9])/, '+')
  if (!/^[+(\d][\d\s().\-/+]*$/.test(number)) return null
  const parsed = parsePhoneNumberFromString(number, { defaultCountry: countryOf(region), extract: false })
  if (parsed === undefined) return null
  // NOTE: area codes newer than the number tables exist; the North American plan's own form decides there.
  const plausible = parsed.countryCallingCode === '1' && northAmericanNumber.test(parsed.nationalNumber)
  return parsed.isValid() || plausible ? { kind: 'phone', value: parsed.number } : null
}

function countryOf(region: string): CountryCode {
  return isSupportedCountry(region) ? region : 'US'
}
