import { useQueryClient } from '@tanstack/react-query'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import { useEffect, useState } from 'react'
import { compareDates, localDate } from '#lib/format/calendar.ts'
import { useServices } from '#lib/services/services.tsx'
import { momentOf } from '../editions/moment.ts'
import { latestDueSlot } from '../editions/sentences.ts'

const minuteMs = 60_000
/** Readers look for a new edition within this time after its slot, at a random moment that spreads them. */
const spreadMs = 5000

type Today = {
  /** The date that the page shows, kept after midnight. */
  today: CalendarDate
  /** The date on the reader's clock. */
  currentDate: CalendarDate
  updateToday: () => void
}

/**
 * Returns the reader's day. Renders again every minute and whenever the page becomes visible, so that what it says about
 * time stays true, and reads the lists of editions again when one is due.
 */
export function useToday(): Today {
  const services = useServices()
  const { clock } = services
  const queryClient = useQueryClient()
  const [today, setToday] = useState(() => localDate(clock.now()))
  const [now, setNow] = useState(() => clock.now())

  useEffect(() => {
    let checkedAt = clock.now()
    const spread = clock.random() * spreadMs
    let timer = setTimeout(tick, msToNextTick())
    function msToNextTick() {
      return minuteMs - ((clock.now().getTime() - spread) % minuteMs)
    }
    function tick() {
      clearTimeout(timer)
      const moment = momentOf(services)
      const wasDue = latestDueSlot({ ...moment, now: checkedAt })
      if (latestDueSlot(moment) !== wasDue) void queryClient.invalidateQueries({ queryKey: ['editions'] })
      checkedAt = moment.now
      setNow(moment.now)
      timer = setTimeout(tick, msToNextTick())
    }
    function followVisibility() {
      if (!document.hidden) tick()
    }
    document.addEventListener('visibilitychange', followVisibility)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', followVisibility)
    }
  }, [services, clock, queryClient])

  const updateToday = () => {
    const date = localDate(clock.now())
    if (compareDates(today, date) !== 0) setToday(date)
  }
  return { today, currentDate: localDate(now), updateToday }
}
