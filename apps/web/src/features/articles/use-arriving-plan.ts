import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useToasts } from '#components/toaster.tsx'
import { currentMember } from '#lib/member/use-member.ts'
import { paidConnection } from '#lib/plans/plan-kinds.ts'
import { useServices } from '#lib/services/services.tsx'

const pollMs = 2000
const maxPolls = 30

type ArrivingPlan = {
  isOpen: boolean
  /** The plans that open the article; null unless it was refused for want of one. */
  needed: readonly string[] | null
  refusals: number
}

/**
 * Waits for the plan after a payment, and thanks for it. Returns how often to ask for the article again until the plan
 * opens it; false otherwise. Reading the member has the server ask Stripe.
 */
export function useArrivingPlan({ isOpen, needed, refusals }: ArrivingPlan): number | false {
  const { memberSession } = useServices()
  const navigate = useNavigate()
  const toasts = useToasts()
  const { checkout }: { checkout?: unknown } = useSearch({ strict: false })
  const isPaid = checkout === 'done'
  const { data: member } = useQuery({
    ...currentMember(memberSession),
    enabled: isPaid,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      paidConnection(data?.planConnections ?? []) === undefined && dataUpdateCount < maxPolls && pollMs,
  })
  const plan = isPaid ? paidConnection(member?.planConnections ?? []) : undefined
  const isForOthers = plan !== undefined && needed !== null && !needed.includes(plan.planId)
  const arrived = isOpen || isForOthers ? plan?.planName : undefined
  const isCanceled = checkout === 'canceled' && isOpen

  // Then the address is the article's own again.
  useEffect(() => {
    if (arrived !== undefined) toasts.show('blank', `Thank you. Your ${arrived} plan is active.`)
    if (arrived !== undefined || isCanceled) void navigate({ to: '.', search: {}, replace: true })
  }, [arrived, isCanceled, navigate, toasts])
  return isPaid && !isOpen && !isForOthers && refusals < maxPolls && pollMs
}
