import type { MembershipClient } from '@tidings/client'
import type { Member } from '@tidings/contracts/members'
import { rememberEmail } from '#lib/member-session/login-email.ts'
import { toStoredPhone } from '#lib/phone/phone-numbers.ts'
import type { Services } from '#lib/services.tsx'

/** What a member tells about themselves. */
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

/** Whether saving would change the address. An empty field keeps the stored one. */
export function isOtherEmail(email: string, stored: string): boolean {
  const address = email.trim()
  return address !== '' && address.toLowerCase() !== stored.toLowerCase()
}

/**
 * Saves the details and further custom fields; the address only if it differs.
 * @throws {MembershipError} The address is saved first: when it is refused, nothing has changed.
 */
export async function saveAccount(
  client: MembershipClient,
  { config, deviceStore }: Pick<Services, 'config' | 'deviceStore'>,
  change: { stored: AccountDetails; details: AccountDetails; customFields?: Record<string, unknown> },
): Promise<void> {
  const { stored, details, customFields } = change
  if (isOtherEmail(details.email, stored.email)) {
    const { data } = await client.updateMemberAuth({ email: details.email.trim() })
    rememberEmail(deviceStore, data.auth.email)
  }
  const phone = await toStoredPhone(details.phone, config.phoneRegion)
  await client.updateMember({ customFields: { name: details.name.trim(), phone, ...customFields } })
}
