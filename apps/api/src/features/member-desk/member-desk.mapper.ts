import type { DeskMember, FoundMember as WireMember } from '@tidings/contracts/desk/members'
import type { AddressSuppression } from '#features/delivery/index.ts'
import type { FoundMember } from '#features/members/index.ts'

/** The names of the types in the membership protocol, as a member's own page has them. */
const planTypes = { free: 'FREE', subscription: 'SUBSCRIPTION', onetime: 'ONETIME' } as const

export function toFoundMember({ planConnections, ...row }: FoundMember): WireMember {
  const plans = planConnections.map((each) => ({ ...each, type: planTypes[each.type] }))
  return { ...toSharedKeys(row), plans }
}

/** Returns the keys that lists and the member's own page both have. */
export function toSharedKeys(row: Omit<FoundMember, 'planConnections'>): Omit<WireMember, 'plans'> {
  const { id, name, email, formerEmail, verified, phone } = row
  return {
    id,
    name,
    email,
    formerEmail,
    verified,
    phone: phone === null ? null : { number: phone.number, verified: phone.verifiedAt !== null },
    createdAt: row.createdAt.toISOString(),
    lastLogin: row.lastLoginAt?.toISOString() ?? null,
  }
}

export function toSuppression(
  { address, kind, reason, suppressedAt }: AddressSuppression,
  email: string,
): DeskMember['suppressions'][number] {
  return { to: address === email ? 'email' : 'phone', kind, reason, since: suppressedAt.toISOString() }
}
