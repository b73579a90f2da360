import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatEditionKey } from '@tidings/contracts/edition-key'
import { formatDay, localDate } from '../../lib/calendar.ts'
import { useSurroundings } from '../../lib/surroundings.tsx'
import { newestEdition } from './newest-edition.ts'

/** Leads from an empty place to the newest edition there is. Nothing while that is not known. */
export function NewestEditionLink() {
  const { clock } = useSurroundings()
  const { data: newest } = useQuery(newestEdition)
  if (newest === undefined || newest === null) return null
  const day = formatDay(newest.date, localDate(clock.now()))
  return (
    <Link to="/edition/$timestamp" params={{ timestamp: formatEditionKey(newest.date, newest.slot) }}>
      {`Read the newest: ${day}, ${newest.slot}`}
    </Link>
  )
}
