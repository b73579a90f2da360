import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { commentCounts } from '#lib/comment-counts.ts'
import { type CommentFilter, type CommentSearch, commentFilters } from './comment-calls.ts'

const filterNames: Record<CommentFilter, string> = {
  reported: 'Reported',
  new: 'New',
  hidden: 'Hidden',
  all: 'All',
}

// Otherwise the router marks also those that the address begins with.
const exactly = { exact: true }

/** The title of the screen, its filters with counts, and the search. */
export function CommentsBar({
  search,
  onSearch,
}: {
  search: CommentSearch
  onSearch: (search: CommentSearch) => void
}) {
  const { data: counts } = useQuery(commentCounts)
  const { show, q = '' } = search
  return (
    <header className="comments-bar">
      <h1>Comments</h1>
      <nav aria-label="Which comments" className="tabs">
        {commentFilters.map((filter) => (
          <Link
            key={filter}
            to="/comments"
            search={
              filter === 'reported' || search.q === undefined
                ? { show: filter }
                : { show: filter, q: search.q }
            }
            activeOptions={exactly}
            aria-current={filter === show ? 'page' : undefined}
          >
            {filterNames[filter]}{' '}
            {filter !== 'all' && <span className="comments-count">{counts?.[filter]}</span>}
          </Link>
        ))}
      </nav>
      <SearchField
        key={q}
        value={q}
        // Reports are not searched.
        onSearch={(words) => {
          const next = show === 'reported' && words !== '' ? 'all' : show
          onSearch(words === '' ? { show: next } : { show: next, q: words })
        }}
      />
      <p className="meta comments-order">{show === 'reported' ? 'Oldest report first' : 'Newest first'}</p>
    </header>
  )
}

function SearchField({ value, onSearch }: { value: string; onSearch: (words: string) => void }) {
  const [words, setWords] = useState(value)
  return (
    <search className="comments-search">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSearch(words.trim())
        }}
      >
        <input
          type="search"
          maxLength={200}
          aria-label="Find words or a name"
          placeholder="Find words or a name"
          value={words}
          onChange={(event) => {
            setWords(event.target.value)
            if (event.target.value === '' && value !== '') onSearch('')
          }}
        />
      </form>
    </search>
  )
}
