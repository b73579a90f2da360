import type { DeliveryProgress } from '@tidings/contracts/delivery/deliveries'
import { parseEditionKey } from '@tidings/contracts/edition-key'
import { counted } from '#lib/counted.ts'
import { dayText } from '#lib/time/zoned-time.ts'
import { secondsUntil, waitText } from './delivery-words.ts'

/** A published edition of which nothing is sent yet. */
export type Countdown = {
  key: string
  slot: string
  /** Editions of several days may wait at once. */
  day: string
  isStopped: boolean
  seconds: number
  members: number
}

const announcedAt = [60, 30, 10] as const

/** Returns the editions that wait for their delivery, or were stopped before it began. */
export function countdownsOf(progress: readonly DeliveryProgress[], now: Date): Countdown[] {
  return progress.flatMap(({ edition, state, sendAfter, startedAt, members }) => {
    const parsed = edition === null ? null : parseEditionKey(edition)
    if (edition === null || parsed === null || startedAt !== null) return []
    const seconds = secondsUntil(sendAfter, now)
    const isStopped = state === 'stopped'
    if (!isStopped && !(state === 'planned' && seconds > 0)) return []
    return [
      {
        key: edition,
        slot: parsed.slot,
        day: dayText(parsed.date),
        isStopped,
        seconds,
        members: members ?? 0,
      },
    ]
  })
}

/** Returns the sentence of a countdown. */
export function countdownText({ slot, isStopped, seconds, members }: Countdown): string {
  if (isStopped) return `Stopped. ${slot} stays on the site; nothing was sent.`
  return `${slot} is public. In ${waitText(seconds)} it goes to ${counted(members, 'member')}.`
}

/** Returns what a screen reader hears: the sentence as it was at 60, 30 and 10 seconds. */
export function announcementOf(countdown: Countdown): string {
  if (countdown.isStopped) return countdownText(countdown)
  const seconds = announcedAt.findLast((each) => countdown.seconds <= each)
  return seconds === undefined ? '' : countdownText({ ...countdown, seconds })
}
