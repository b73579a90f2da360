import type { CalendarDate } from '@tidings/contracts/edition-key'
import { useEffect, useState } from 'react'
import { compareDates, localDate } from '#lib/calendar.ts'
import { useServices } from '#lib/services.tsx'

/** Returns the date on the reader's clock, updated whenever the page becomes visible. */
export function useToday(): { today: CalendarDate; updateToday: () => void } {
  const { clock } = useServices()
  const [today, setToday] = useState(() => localDate(clock.now()))
  useEffect(() => {
    function followVisibility() {
      if (!document.hidden) setToday((before) => keepIfEqual(before, localDate(clock.now())))
    }
    document.addEventListener('visibilitychange', followVisibility)
    return () => document.removeEventListener('visibilitychange', followVisibility)
  }, [clock])
  return { today, updateToday: () => setToday((before) => keepIfEqual(before, localDate(clock.now()))) }
}

/** Keeps the same object on the same day, so that nothing renders again. */
function keepIfEqual(before: CalendarDate, now: CalendarDate): CalendarDate {
  return compareDates(before, now) === 0 ? before : now
}
