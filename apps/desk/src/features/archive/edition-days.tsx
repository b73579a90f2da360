import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DeskEditionSummary } from '@tidings/contracts/desk/editions'
import { parseWireDate, sortSlots } from '@tidings/contracts/edition-key'
import { ListEnd } from '#components/list-end.tsx'
import { useDeskConfig, useZones } from '#lib/desk-context.ts'
import { editionPath } from '#lib/desk-paths.ts'
import { useNow } from '#lib/time/use-now.ts'
import { dayIn } from '#lib/time/zoned-time.ts'
import { type ArchiveSearch, editionPages } from './archive-calls.ts'
import { type EditionDay, groupByDay, shortDay, statusNames } from './archive-words.ts'

/** The days with their editions, newest first. */
export function EditionDays({ search }: { search: ArchiveSearch }) {
  const list = useInfiniteQuery({ ...editionPages(search), placeholderData: keepPreviousData })
  const days = groupByDay(list.data?.pages.flatMap(({ data }) => data) ?? [])
  return (
    <section aria-labelledby="archive-days">
      <h2 id="archive-days">By day</h2>
      {list.isSuccess && days.length === 0 && <p className="meta">No edition is like that.</p>}
      <ul className="archive-rows">
        {days.map((day) => (
          <Day key={day.date} day={day} />
        ))}
      </ul>
      <ListEnd list={list} loading="Loading the archive…" />
    </section>
  )
}

function Day({ day: { date, editions } }: { day: EditionDay }) {
  const { slots } = useDeskConfig()
  const { site } = useZones()
  const labels = slots.map(({ label }) => label)
  const thisYear = dayIn(useNow(), site).year
  const day = parseWireDate(date)
  return (
    <li className="archive-of-day">
      <Link to="/days/$day" params={{ day: date }} className="archive-date">
        {day === null ? date : shortDay(day, thisYear)}
      </Link>
      <ul>
        {sortSlots([...new Set([...labels, ...editions.map(({ slot }) => slot)])], slots).map((label) => {
          const edition = editions.find(({ slot }) => slot === label)
          return <li key={label}>{edition !== undefined && <Edition edition={edition} />}</li>
        })}
      </ul>
    </li>
  )
}

function Edition({
  edition: { key, slot, status: stored, withdrawn, memoCount },
}: {
  edition: DeskEditionSummary
}) {
  const status = withdrawn === true ? 'withdrawn' : stored
  const memos = memoCount === 1 ? '1 memo' : `${memoCount} memos`
  return (
    <Link to={editionPath(key)} className="archive-edition">
      <span className="archive-slot">{slot}</span>
      <span className={status === 'held' ? 'urgent' : undefined}>
        <span className={`mark mark-${status}`} aria-hidden="true" /> {statusNames[status]}
        {status !== 'published' && `, ${memos}`}
      </span>
    </Link>
  )
}
