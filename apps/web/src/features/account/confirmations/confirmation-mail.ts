import { limits } from '@tidings/contracts/limits'
import type { Member } from '@tidings/contracts/membership/members'
import { useEffect, useState } from 'react'
import { findSent, saveSent } from '#lib/member/sent-codes.ts'
import { useServices } from '#lib/services/services.tsx'
import { onItsWayMs, useHasPassed } from '#lib/services/use-has-passed.ts'

export type ConfirmationMail = ReturnType<typeof useConfirmationMail>

/**
 * Follows the email that confirms the member's address: whether its code still works, and whether it was sent less than
 * a minute ago, so that it may be on its way.
 */
export function useConfirmationMail({ id, createdAt, auth: { email } }: Member) {
  const { clock, sessionStore } = useServices()
  const [sent, setSent] = useState(() => ({
    email,
    // The sign-up sends one.
    at: findSent(sessionStore, { by: 'email', to: id }) ?? Date.parse(createdAt),
  }))
  // A change of the address sends one too.
  if (sent.email !== email) setSent({ email, at: clock.now().getTime() })
  useEffect(() => saveSent(sessionStore, { by: 'email', to: id }, sent.at), [id, sent.at, sessionStore])
  const isOnItsWay = !useHasPassed(sent.at, onItsWayMs)
  const isExpired = useHasPassed(sent.at, limits.shortCodeMinutes * 60_000)
  return {
    isOnItsWay,
    isExpired,
    remember: () => setSent({ email, at: clock.now().getTime() }),
  }
}
