import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { peopleQuery } from '#lib/people-query.ts'
import { type ArchiveSearch, statuses } from './archive-calls.ts'
import { statusNames } from './archive-words.ts'

type Props = { search: ArchiveSearch; onSearch: (search: ArchiveSearch) => void }

// Otherwise the router marks also those that the address begins with.
const exactly = { exact: true }

/** Narrows the archive by status, day and person. */
export function ArchiveFilters({ search, onSearch }: Props) {
  const { data: people = [] } = useQuery(peopleQuery)
  const { status, from = '', to = '', by = '' } = search
  const change = (more: ArchiveSearch) => onSearch({ ...search, ...more })
  return (
    <div className="archive-filters">
      <nav aria-label="Status" className="tabs">
        {[undefined, ...statuses].map((each) => (
          <Link
            key={each ?? 'every'}
            to="/archive"
            search={{ ...search, status: each }}
            activeOptions={exactly}
            aria-current={each === status ? 'page' : undefined}
          >
            {each === undefined ? 'Every status' : statusNames[each]}
          </Link>
        ))}
      </nav>
      <div className="archive-narrow">
        <label>
          From
          <input
            type="date"
            min="2000-01-01"
            max="2099-12-31"
            value={from}
            onChange={(event) => change({ from: event.target.value || undefined })}
          />
        </label>
        <label>
          to
          <input
            type="date"
            min="2000-01-01"
            max="2099-12-31"
            value={to}
            onChange={(event) => change({ to: event.target.value || undefined })}
          />
        </label>
        <select
          aria-label="Saved last by"
          value={by}
          onChange={(event) => change({ by: event.target.value || undefined })}
        >
          <option value="">Any writer</option>
          {people.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
