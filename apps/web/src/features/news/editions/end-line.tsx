import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatEditionKey } from '@tidings/contracts/edition-key'
import { Fragment, useCallback, useState } from 'react'
import { publishedEditions } from '#lib/api/published-editions.ts'
import { compareDates } from '#lib/format/calendar.ts'
import { useServices } from '#lib/services/services.tsx'
import { newestEdition, slotsOfDay } from './edition-queries.ts'
import { momentOf } from './moment.ts'
import { dependsOnLaterDays, type Edition, endLine } from './sentences.ts'

/**
 * The line below an edition's last memo: what ends here and what comes next, with a link once that is out. It is written
 * once it comes into view, because a page's first use of time zones takes long.
 */
export function EndLine({ edition }: { edition: Edition }) {
  const [isSeen, setIsSeen] = useState(false)
  const observe = useCallback((line: HTMLElement | null) => {
    if (line === null) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true)
    })
    observer.observe(line)
    return () => observer.disconnect()
  }, [])
  return (
    <p className="end-line" ref={observe}>
      {isSeen ? <EndSentences edition={edition} /> : null}
    </p>
  )
}

function EndSentences({ edition }: { edition: Edition }) {
  const services = useServices()
  const moment = momentOf(services)
  const day = useQuery(slotsOfDay(edition.date, moment.slots))
  const slots = day.data ?? null
  const needsLaterDays = dependsOnLaterDays(edition, slots, moment)
  const newest = useQuery({ ...newestEdition, enabled: needsLaterDays && slots !== null })
  const isNewest = newest.data?.slot === edition.slot && compareDates(newest.data.date, edition.date) === 0
  const all = useQuery({
    ...publishedEditions,
    enabled: needsLaterDays && newest.data !== undefined && !isNewest,
  })
  const successor = isNewest
    ? null
    : all.data && (all.data.findLast(({ date }) => compareDates(date, edition.date) > 0) ?? null)
  const queries = needsLaterDays ? [day, newest] : [day]
  const isCurrent = queries.every(({ isFetching, error }) => !isFetching && error === null)
  const { sentences, next } = endLine(edition, { slots, successor, isCurrent }, moment)
  return (
    <>
      {sentences.map((sentence, index) => (
        <Fragment key={sentence}>
          {index === 0 ? null : ' '}
          <span>{sentence}</span>
        </Fragment>
      ))}
      {next === null ? null : (
        <>
          {' '}
          <span>
            <Link
              to="/edition/$timestamp"
              params={{ timestamp: formatEditionKey(next.edition.date, next.edition.slot) }}
            >
              {next.text}
            </Link>
          </span>
        </>
      )}
    </>
  )
}
