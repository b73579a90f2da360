import { type CalendarDate, formatEditionKey } from '@tidings/contracts/edition-key'
import { compareDates } from '#lib/format/calendar.ts'
import { useServices } from '#lib/services/services.tsx'
import { useHomeEdition } from '../editions/edition-queries.ts'
import { type Edition, isLater, newerEditionSentence } from '../editions/sentences.ts'

type Shown = {
  shown: Edition | null
  /** Whether the reader chose that edition. */
  isChosen: boolean
  today: CalendarDate
  currentDate: CalendarDate
}

/**
 * Returns the edition that a tap on the date would show, if it is newer than the one on the page. A reader who chose an
 * edition of their day gets it after midnight only: until then, the slots show it.
 */
export function useNewerEdition({ shown, isChosen, today, currentDate }: Shown) {
  const { config } = useServices()
  const isNextDay = compareDates(currentDate, today) !== 0
  const isOfToday = shown !== null && compareDates(shown.date, today) === 0
  const enabled = !isChosen || (isNextDay && isOfToday)
  const { edition } = useHomeEdition(currentDate, { enabled })
  if (!enabled || shown === null || edition === null || !isLater(edition, shown, config.slots)) return null
  return {
    editionKey: formatEditionKey(edition.date, edition.slot),
    text: newerEditionSentence(edition, shown.date, currentDate),
  }
}
