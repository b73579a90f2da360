import type { MembershipClient } from '@tidings/client'
import type { Member } from '@tidings/contracts/membership/members'
import { normalizeEmail } from '@tidings/contracts/membership/typed-text'
import { rememberEmail } from '#lib/member/login-email.ts'
import { saveSent } from '#lib/member/sent-codes.ts'
import { toStoredPhone } from '#lib/phone/phone-numbers.ts'
import type { Services } from '#lib/services/services.tsx'

/** The details that a member enters. */
export type AccountDetails = { name: string; email: string; phone: string }

/** Reads the details of a member. */
export function detailsOf({ auth, customFields }: Member): AccountDetails {
  const { name, phone } = customFields
  return {
    name: typeof name === 'string' ? name : '',
    email: auth.email,
    phone: typeof phone === 'string' ? phone : '',
  }
}

/** Returns whether saving would change the address. An empty field keeps the stored one. */
export function isOtherEmail(email: string, stored: string): boolean {
  const address = normalizeEmail(email)
  return address !== '' && address.toLowerCase() !== stored.toLowerCase()
}

/** Returns the details that were changed after others had been sent. */
export function detailsSince(
  sent: Partial<AccountDetails>,
  now: Partial<AccountDetails>,
): Partial<AccountDetails> {
  const { name, email, phone } = now
  return {
    ...(name !== undefined && name !== sent.name && { name }),
    ...(email !== undefined && email !== sent.email && { email }),
    ...(phone !== undefined && phone !== sent.phone && { phone }),
  }
}

type DetailsChange = { stored: AccountDetails; details: AccountDetails }

/**
 * Returns the phone number to store. One that another client stored as any text stays until the member changes it.
 * @throws {PhoneNumberError}
 */
export async function phoneToStore(
  { stored, details }: DetailsChange,
  { phoneRegion }: Services['config'],
): Promise<string> {
  return details.phone === stored.phone ? stored.phone : await toStoredPhone(details.phone, phoneRegion)
}

/**
 * Saves the details and further custom fields; the address only if it differs.
 * @throws {PhoneNumberError | MembershipError} The address is saved first: when it is refused, nothing has changed.
 */
export async function saveAccount(
  client: MembershipClient,
  {
    config,
    deviceStore,
    sessionStore,
    clock,
  }: Pick<Services, 'config' | 'deviceStore' | 'sessionStore' | 'clock'>,
  change: DetailsChange & { customFields?: Record<string, unknown> },
): Promise<void> {
  const { stored, details, customFields } = change
  const phone = await phoneToStore(change, config)
  if (isOtherEmail(details.email, stored.email)) {
    const { data } = await client.updateMemberAuth({ email: details.email })
    rememberEmail(deviceStore, data.auth.email)
    // The server emails a code to the new address.
    saveSent(sessionStore, { by: 'email', to: data.id }, clock.now().getTime())
  }
  await client.updateMember({ customFields: { name: details.name.trim(), phone, ...customFields } })
}
