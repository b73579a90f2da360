import { useState } from 'react'
import { useMember } from '#lib/member/use-member.ts'
import { useServices } from '#lib/services/services.tsx'
import { areDone, stepsOf } from './steps.ts'

const laterKey = 'tidings:steps-later'

/**
 * Returns whether the dashboard shows the steps: a member with a plan opened it with steps missing, and has not put them
 * off for this visit.
 */
export function useFirstSteps() {
  const { sessionStore } = useServices()
  const { data: member } = useMember()
  const [opened, setOpened] = useState<{ member: string; isShown: boolean } | null>(null)
  // Decided once: what the member changes on this screen doesn't bring them up.
  if (member != null && opened?.member !== member.id) {
    const { id, planConnections } = member
    const hasPlan = planConnections.some(({ active }) => active)
    const isShown = hasPlan && !areDone(stepsOf(member)) && sessionStore.get(laterKey) !== id
    setOpened({ member: id, isShown })
  }
  return {
    isShown: opened?.isShown ?? false,
    /** Puts the steps off for this visit. */
    hide() {
      if (member == null) return
      if (!areDone(stepsOf(member))) sessionStore.set(laterKey, member.id)
      setOpened({ member: member.id, isShown: false })
    },
  }
}
