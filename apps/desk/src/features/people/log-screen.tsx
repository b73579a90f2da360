import './people.css'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ListEnd } from '#components/list-end.tsx'
import { peopleQuery } from '#lib/people-query.ts'
import { LogRows } from './log-rows.tsx'
import { memoOf } from './log-sentences.ts'
import { type LogSearch, logPages } from './people-calls.ts'
import { PeopleHead } from './people-head.tsx'

type Props = { search: LogSearch; onSearch: (search: LogSearch) => void }

/** The changes of the desk as sentences, narrowed by person, memo and day. */
export function LogScreen({ search, onSearch }: Props) {
  const list = useInfiniteQuery({ ...logPages(search), placeholderData: keepPreviousData })
  const entries = list.data?.pages.flatMap(({ data }) => data) ?? []
  const { person, memo, day } = search
  const isNarrowed = person !== undefined || memo !== undefined || day !== undefined
  return (
    <div className="page people">
      <PeopleHead current="log" />
      <LogFilters search={search} onSearch={onSearch} />
      <LogRows entries={entries}>
        {(entry) => {
          const id = memoOf(entry)
          if (id === null || id === memo) return null
          return (
            <Link to="/people/log" search={{ ...search, memo: id }} className="meta">
              Only this memo
            </Link>
          )
        }}
      </LogRows>
      <ListEnd list={list} loading="Loading the log…">
        <p className="people-end">
          {entries.length === 0 && isNarrowed ? 'The log has nothing like that.' : 'That is the whole log.'}
        </p>
      </ListEnd>
    </div>
  )
}

function LogFilters({ search, onSearch }: Props) {
  const { data: people = [] } = useQuery(peopleQuery)
  const { person = '', memo, day = '' } = search
  return (
    <div className="people-filters">
      <label>
        By
        <select
          value={person}
          onChange={(event) => onSearch({ ...search, person: event.target.value || undefined })}
        >
          <option value="">Everyone</option>
          {people.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        On
        <input
          type="date"
          min="2000-01-01"
          max="2099-12-31"
          value={day}
          onChange={(event) => onSearch({ ...search, day: event.target.value || undefined })}
        />
      </label>
      {memo !== undefined && (
        <p>
          Only one memo.{' '}
          <Link to="/people/log" search={{ ...search, memo: undefined }}>
            Every memo
          </Link>
        </p>
      )}
    </div>
  )
}
