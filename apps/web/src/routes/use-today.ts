import type { CalendarDate } from '@tidings/contracts/edition-key'
import { useEffect, useState } from 'react'
import { compareDates, localDate } from '../lib/calendar.ts'
import { useSurroundings } from '../lib/surroundings.tsx'

/** The day on the reader's own clock; looked at again whenever the reader comes back to the page. */
export function useToday(): { today: CalendarDate; lookAgain: () => void } {
  const { clock } = useSurroundings()
  const [today, setToday] = useState(() => localDate(clock.now()))
  useEffect(() => {
    function followSight() {
      if (!document.hidden) setToday((before) => later(before, localDate(clock.now())))
    }
    document.addEventListener('visibilitychange', followSight)
    return () => document.removeEventListener('visibilitychange', followSight)
  }, [clock])
  return { today, lookAgain: () => setToday((before) => later(before, localDate(clock.now()))) }
}

function later(before: CalendarDate, now: CalendarDate): CalendarDate {
  return compareDates(before, now) === 0 ? before : now
}
