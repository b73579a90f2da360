import { queryOptions } from '@tanstack/react-query'
import type { PushDevices } from '@tidings/contracts/membership/push'
import { memberKey } from '#lib/member/member-queries.ts'
import { pushSupport } from '#lib/notifications/browser-push.ts'
import { isTurnedOn } from '#lib/notifications/notified-browser.ts'
import { findRegistered } from '#lib/notifications/registered-browser.ts'
import type { Services } from '#lib/services/services.tsx'

/** Where this browser stands; `denied` when the reader has blocked the site's notifications. */
export type BrowserState = 'unsupported' | 'needs-install' | 'denied' | 'off' | 'on'

export type Notifications = PushDevices & {
  browser: BrowserState
  /** The device that is this browser, while it is on. */
  deviceId: string | null
}

/** Query key of the browsers that are notified. */
export const notificationsKey = [memberKey, 'notifications'] as const

/** Reads which browsers of a member are notified, and where this one stands. */
export function notificationsOf({ memberSession, deviceStore, config }: Services, memberId: string) {
  return queryOptions({
    queryKey: [...notificationsKey, memberId],
    // Logging out resets it while the screen is still there.
    enabled: () => config.notifications && memberSession.isLoggedIn(),
    // The reader may have changed the browser's settings.
    staleTime: 0,
    async queryFn(): Promise<Notifications> {
      const { data } = await (await memberSession.getClient()).getPushDevices()
      const support = pushSupport()
      if (support !== 'ready') return { ...data, browser: support, deviceId: null }
      if (Notification.permission === 'denied') return { ...data, browser: 'denied', deviceId: null }
      const isOn = await isTurnedOn(deviceStore, memberId, data)
      const deviceId = isOn ? (findRegistered(deviceStore)?.deviceId ?? null) : null
      return { ...data, browser: isOn ? 'on' : 'off', deviceId }
    },
  })
}
