import './people.css'
import { useQuery } from '@tanstack/react-query'
import type { AuditEntry } from '@tidings/contracts/desk/audit'
import type { ReactNode } from 'react'
import { otherClock } from '#features/versions/version-words.ts'
import { useZones } from '#lib/desk-context.ts'
import { peopleQuery } from '#lib/people-query.ts'
import { useNow } from '#lib/time/use-now.ts'
import { clockText, dayIn, dayText } from '#lib/time/zoned-time.ts'
import { namesOf, sentenceOf } from './log-sentences.ts'

type Props = { entries: readonly AuditEntry[]; children?: (entry: AuditEntry) => ReactNode }

/** Entries of the log as sentences, with their time. */
export function LogRows({ entries, children }: Props) {
  const zones = useZones()
  const { site } = zones
  const now = useNow()
  const today = dayIn(now, site)
  const todayText = dayText(today, { year: 'numeric' })
  const { data: people = [] } = useQuery(peopleQuery)
  const nameOf = namesOf(people)
  return (
    <ol className="people-log">
      {entries.map((entry) => {
        const at = new Date(entry.at)
        const { who, did } = sentenceOf(entry, { nameOf, today })
        return (
          <li key={entry.id}>
            <time dateTime={entry.at} className="meta" title={otherClock(at, zones)}>
              {dayText(dayIn(at, site), { year: 'numeric' }) !== todayText && (
                <>
                  {dayText(dayIn(at, site), { weekday: undefined, month: 'short' })}
                  <br />
                </>
              )}
              {clockText(at, site)}
            </time>
            <p>
              <b>{who}</b> {did} {children?.(entry)}
            </p>
          </li>
        )
      })}
    </ol>
  )
}
