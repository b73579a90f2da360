import { useEffect, useState } from 'react'
import { compareDates, formatClockTime, formatDay, localDate, nextDay } from '#lib/format/calendar.ts'
import { useServices } from '#lib/services/services.tsx'

const dayMs = 86_400_000

/** When a comment was written, on the reader's clock: its time today and yesterday, its day before. */
export function CommentTime({ iso }: { iso: string }) {
  const now = useDay()
  const at = new Date(iso)
  return (
    <time dateTime={iso} title={`${formatDay(localDate(at), localDate(now))}, ${timeOf(at)}`}>
      {commentTimeText(at, now)}
    </time>
  )
}

/** Formats the instant of a comment: '10:05 AM', 'Yesterday, 10:05 AM' or 'November 20'. */
export function commentTimeText(at: Date, now: Date): string {
  const [date, today] = [localDate(at), localDate(now)]
  // The reader's clock may be behind the server's.
  if (compareDates(date, today) >= 0) return timeOf(at)
  if (compareDates(nextDay(date), today) === 0) return `Yesterday, ${timeOf(at)}`
  return formatDay(date, today)
}

function timeOf(at: Date): string {
  return formatClockTime(at.getHours() * 60 + at.getMinutes())
}

/** Returns the current instant. Renders again at midnight, and when the page becomes visible. */
function useDay(): Date {
  const { clock } = useServices()
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => {
    const update = () => setNow(clock.now())
    function followVisibility() {
      if (!document.hidden) update()
    }
    const midnight = new Date(now)
    midnight.setHours(24, 0, 0, 0)
    // A second later, so that an early timer doesn't see the old day. A clock that was set back can't make it longer.
    const timer = setTimeout(update, Math.min(midnight.getTime() - now.getTime() + 1000, dayMs))
    document.addEventListener('visibilitychange', followVisibility)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', followVisibility)
    }
  }, [clock, now])
  return now
}
