import { limits } from '@tidings/contracts/limits'
import type { Member } from '@tidings/contracts/membership/members'
import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { parseJson } from '#lib/api/json.ts'
import { useServices } from '#lib/services.tsx'
import type { Store } from '#lib/store.ts'

const minuteMs = 60_000
const sentKey = 'tidings:confirmation-mail'

const sentSchema = z.object({ member: z.string(), at: z.number() })

export type ConfirmationMail = ReturnType<typeof useConfirmationMail>

/** Returns when the last email that we know of was sent: this tab asked for it, or the sign-up did. */
function lastSent(sessionStore: Store, { id, createdAt }: Member): number {
  const sent = sentSchema.safeParse(parseJson(sessionStore.get(sentKey) ?? '')).data
  return sent?.member === id ? sent.at : Date.parse(createdAt)
}

/**
 * Follows the email that confirms the member's address: whether its code still works, and whether it was sent less than
 * a minute ago, so that it may be on its way.
 */
export function useConfirmationMail(member: Member) {
  const { clock, sessionStore } = useServices()
  const { email } = member.auth
  const [sent, setSent] = useState(() => ({ email, at: lastSent(sessionStore, member) }))
  // A change of the address sends one too.
  if (sent.email !== email) setSent({ email, at: clock.now().getTime() })
  useEffect(
    () => sessionStore.set(sentKey, JSON.stringify({ member: member.id, at: sent.at })),
    [member.id, sent.at, sessionStore],
  )
  const isOnItsWay = !useHasPassed(sent.at, minuteMs)
  const isExpired = useHasPassed(sent.at, limits.shortCodeMinutes * minuteMs)
  return {
    isOnItsWay,
    isExpired,
    remember: () => setSent({ email, at: clock.now().getTime() }),
  }
}

/** Returns whether so much time has passed since an instant. A clock that is wrong delays it by that time at most. */
function useHasPassed(since: number, durationMs: number): boolean {
  const { clock } = useServices()
  const [passed, setPassed] = useState<number | null>(null)
  const leftOf = () => Math.min(durationMs, since + durationMs - clock.now().getTime())
  const [initial, setInitial] = useState({ since, left: leftOf() })
  if (initial.since !== since) setInitial({ since, left: leftOf() })
  const hasLeft = initial.left > 0
  useEffect(() => {
    if (!hasLeft) return
    const timer = setTimeout(() => setPassed(initial.since), initial.left)
    return () => clearTimeout(timer)
  }, [hasLeft, initial])
  return !hasLeft || passed === since
}
