import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { Member } from '@tidings/contracts/membership/members'
import { useEffect, useState } from 'react'
import { useMember } from '#lib/member/use-member.ts'
import { renewAtVisit } from '#lib/notifications/notified-browser.ts'
import { pushRenewedMessage } from '#lib/notifications/renewed-message.ts'
import { useServices } from '#lib/services/services.tsx'
import { deliveriesKey } from '../deliveries/member-deliveries.ts'
import { notificationsKey } from './notifications.ts'
import { NotifyLine } from './notify-line.tsx'
import { countVisit } from './visits.ts'

/** Renews this browser's notifications at each visit of a member, and offers them later. */
export function MemberVisit() {
  const { data: member } = useMember()
  return member == null ? null : <Visit key={member.id} member={member} />
}

function Visit({ member }: { member: Member }) {
  const { memberSession, deviceStore, clock } = useServices()
  const queryClient = useQueryClient()
  const { pathname } = useLocation()
  const [visits, setVisits] = useState(0)

  useEffect(() => setVisits(countVisit(deviceStore, clock.now())), [deviceStore, clock])

  useEffect(() => {
    async function renew() {
      const client = await memberSession.getClient()
      if (!(await renewAtVisit({ client, deviceStore }, member.id))) return
      void queryClient.invalidateQueries({ queryKey: deliveriesKey })
      void queryClient.invalidateQueries({ queryKey: notificationsKey })
    }
    // The next visit tries again.
    const renewQuietly = () => void renew().catch(() => undefined)
    function onMessage({ data }: MessageEvent) {
      if (data === pushRenewedMessage) renewQuietly()
    }
    renewQuietly()
    const worker = navigator.serviceWorker
    worker?.addEventListener('message', onMessage)
    return () => worker?.removeEventListener('message', onMessage)
  }, [memberSession, deviceStore, queryClient, member.id])

  return visits > 1 && pathname === '/home' ? <NotifyLine member={member} /> : null
}
