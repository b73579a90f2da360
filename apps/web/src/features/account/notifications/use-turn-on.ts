import { useQueryClient } from '@tanstack/react-query'
import type { Outcome } from '#components/forms/use-submission.ts'
import { ShownError } from '#lib/api/error-text.ts'
import { offlineText } from '#lib/browser/connection.ts'
import { turnOn } from '#lib/notifications/notified-browser.ts'
import { useServices } from '#lib/services/services.tsx'
import { deliveriesKey } from '../deliveries/member-deliveries.ts'
import { notificationsKey } from './notifications.ts'

/** Returns what asks the reader for permission and has this browser notified. Call it from a tap: browsers demand one. */
export function useTurnOn(memberId: string) {
  const { memberSession, deviceStore } = useServices()
  const queryClient = useQueryClient()

  return async function turnOnHere(publicKey: string): Promise<Outcome> {
    if (!navigator.onLine) throw new ShownError(offlineText)
    const permission = await Notification.requestPermission()
    if (permission === 'granted') {
      const client = await memberSession.getClient()
      await turnOn({ client, deviceStore }, memberId, publicKey)
    }
    void queryClient.invalidateQueries({ queryKey: deliveriesKey })
    await queryClient.invalidateQueries({ queryKey: notificationsKey })
    return permission === 'granted' ? { text: 'Notifications are on.' } : 'done'
  }
}
