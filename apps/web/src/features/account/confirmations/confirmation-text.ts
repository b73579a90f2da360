import { limits } from '@tidings/contracts/limits'
import { useState } from 'react'
import { findSent, saveSent } from '#lib/member/sent-codes.ts'
import { useServices } from '#lib/services/services.tsx'
import { onItsWayMs, useHasPassed } from '#lib/services/use-has-passed.ts'

/** Follows the text that confirms a member's number, also over a reload: whether there is one, and may be on its way. */
export function useConfirmationText(memberId: string, number: string) {
  const { clock, sessionStore } = useServices()
  const code = { by: 'text', to: `${memberId} ${number.slice(-4)}` } as const
  const [sentAt, setSentAt] = useState(() => findSent(sessionStore, code) ?? 0)
  const isOnItsWay = !useHasPassed(sentAt, onItsWayMs)
  const isExpired = useHasPassed(sentAt, limits.shortCodeMinutes * 60_000)
  return {
    isOnItsWay,
    isExpired,
    remember() {
      const now = clock.now().getTime()
      setSentAt(now)
      saveSent(sessionStore, code, now)
    },
  }
}
