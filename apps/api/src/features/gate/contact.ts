import { parseEmailAddress } from '@tidings/contracts/membership/email-address'
import { contactKind } from '@tidings/contracts/membership/field-rules'
import { parsePhoneNumber } from '#platform/phone/phone-number.ts'

/** A contact from the entry box, normalized. */
export type Contact = { kind: 'email' | 'phone'; value: string }

/** Parses an email address or a phone number. `region` applies to numbers without a country code. */
export function parseContact(text: string, region: string): Contact | null {
  const kind = contactKind(text)
  const value = kind === 'email' ? parseEmailAddress(text) : parsePhoneNumber(text, region)
  return value === null ? null : { kind, value }
}
