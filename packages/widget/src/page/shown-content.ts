import type { MembershipClient } from '@tidings/client'

type Member = NonNullable<Awaited<ReturnType<MembershipClient['getCurrentMember']>>['data']>

/** The part of a member that decides what the page shows. */
export type PageMember = Pick<Member, 'id' | 'permissions' | 'planConnections'>

/**
 * Returns whether content is shown: `members`, `visitors`, `plan:ID` or `permission:NAME`. Content with an unknown
 * condition is hidden.
 */
export function isShownTo(condition: string, member: PageMember | null): boolean {
  if (condition === 'visitors') return member === null
  if (member === null) return false
  if (condition === 'members') return true
  const [kind, ...rest] = condition.split(':')
  const value = rest.join(':')
  if (kind === 'plan') return member.planConnections.some(({ planId, active }) => active && planId === value)
  return kind === 'permission' && member.permissions.includes(value)
}
