import { useQuery } from '@tanstack/react-query'
import { methodsOf, smsMethods } from '@tidings/contracts/delivery/methods'
import type { Member } from '@tidings/contracts/membership/members'
import { memberKey } from '#lib/member/member-queries.ts'
import { useServices } from '#lib/services/services.tsx'
import { detailsOf } from '../details/account-details.ts'

/** The beginning of the query key of what texts need. */
export const phoneKey = [memberKey, 'phone'] as const

/** Reads whether texts can be sent to the member's number, if the member chose texts. */
export function usePhone(member: Member) {
  const { memberSession } = useServices()
  const methods = methodsOf(member.customFields)
  const hasTexts = smsMethods.some((method) => methods.has(method))
  const queryKey = [...phoneKey, detailsOf(member).phone, member.verified]
  const { data: phone, isPending } = useQuery({
    queryKey,
    // Logging out resets it while the screen is still there.
    enabled: () => hasTexts && memberSession.isLoggedIn(),
    staleTime: 0,
    queryFn: async () => (await (await memberSession.getClient()).getPhone()).data,
  })
  return {
    hasTexts,
    phone: hasTexts ? phone : undefined,
    queryKey,
    /** Whether the member can confirm the number, or may be able to: that isn't known yet. */
    isOpen:
      hasTexts &&
      (phone === undefined
        ? isPending
        : phone.state === 'unverified' && (phone.obstacle ?? 'email-not-verified') === 'email-not-verified'),
  }
}
