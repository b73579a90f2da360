import './people.css'
import { useQuery } from '@tanstack/react-query'
import type { AuditEntry } from '@tidings/contracts/desk/audit'
import type { ReactNode } from 'react'
import { useZones } from '#lib/desk-context.ts'
import { peopleQuery } from '#lib/people-query.ts'
import { useNow } from '#lib/time/use-now.ts'
import { clockText, dayIn, dayText } from '#lib/time/zoned-time.ts'
import { namesOf, sentenceOf } from './log-sentences.ts'

type Props = { entries: readonly AuditEntry[]; children?: (entry: AuditEntry) => ReactNode }

/** Entries of the log as sentences, with their time. */
export function LogRows({ entries, children }: Props) {
  const { own, site } = useZones()
  const now = useNow()
  const today = dayText(dayIn(now, own), { year: 'numeric' })
  const siteToday = dayIn(now, site)
  const { data: people = [] } = useQuery(peopleQuery)
  const nameOf = namesOf(people)
  return (
    <ol className="people-log">
      {entries.map((entry) => {
        const at = new Date(entry.at)
        const day = dayText(dayIn(at, own), { year: 'numeric' })
        const { who, did } = sentenceOf(entry, { nameOf, today: siteToday })
        return (
          <li key={entry.id}>
            <time dateTime={entry.at} className="meta">
              {day !== today && (
                <>
                  {dayText(dayIn(at, own), { weekday: undefined, month: 'short' })}
                  <br />
                </>
              )}
              {clockText(at, own)}
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
