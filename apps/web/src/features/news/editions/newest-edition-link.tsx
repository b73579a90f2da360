import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatEditionKey } from '@tidings/contracts/edition-key'
import { formatDay, localDate } from '#lib/format/calendar.ts'
import { useServices } from '#lib/services/services.tsx'
import { newestEdition } from './edition-queries.ts'

/** Links to the newest edition. Shows nothing until it is known. */
export function NewestEditionLink() {
  const { clock } = useServices()
  const { data: newest } = useQuery(newestEdition)
  if (newest === undefined || newest === null) return null
  const day = formatDay(newest.date, localDate(clock.now()))
  return (
    <Link to="/edition/$timestamp" params={{ timestamp: formatEditionKey(newest.date, newest.slot) }}>
      {`Read the latest: ${day}, ${newest.slot}`}
    </Link>
  )
}
