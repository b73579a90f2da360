import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { currentMember } from '#lib/member-session/use-member.ts'
import { useServices } from '#lib/services.tsx'

const pollMs = 2000
const maxPolls = 30

/**
 * Returns how often to ask for the article again after a payment, until the plan has arrived; false otherwise. Reading
 * the member has the server ask Stripe.
 */
export function useArrivingPlan({ isClosed, refusals }: { isClosed: boolean; refusals: number }) {
  const { memberSession } = useServices()
  const navigate = useNavigate()
  const { checkout }: { checkout?: unknown } = useSearch({ strict: false })
  const isPaid = checkout === 'done'
  const pollEveryMs = isPaid && isClosed && refusals < maxPolls ? pollMs : false
  useQuery({ ...currentMember(memberSession), enabled: isPaid, refetchInterval: pollEveryMs })

  // Once the article is open, the address is its own again.
  useEffect(() => {
    if (isPaid && !isClosed) void navigate({ to: '.', search: {}, replace: true })
  }, [isPaid, isClosed, navigate])
  return pollEveryMs
}
