import { useQueries } from '@tanstack/react-query'
import type { Member } from '@tidings/contracts/membership/members'
import { useState } from 'react'
import { useServices } from '#lib/services/services.tsx'
import { deliveriesOf } from '../deliveries/member-deliveries.ts'
import { notificationsOf } from '../notifications/notifications.ts'
import { suppressionOf } from './suppression.ts'

/**
 * Returns whether everything that gives the dashboard its height has been read once, or failed: what a member is about
 * to tap must not move.
 */
export function useIsRead(member: Member): boolean {
  const services = useServices()
  const { memberSession, config } = services
  const [wasRead, setRead] = useState(false)
  const isRead = useQueries({
    queries: [
      deliveriesOf(memberSession, member),
      suppressionOf(memberSession, member),
      ...(config.notifications ? [notificationsOf(services, member.id)] : []),
    ],
    combine: (reads) => reads.every(({ isPending, failureCount }) => !isPending || failureCount > 0),
  })
  if (isRead && !wasRead) setRead(true)
  return wasRead || isRead
}
