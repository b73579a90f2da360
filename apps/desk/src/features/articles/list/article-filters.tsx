import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { type ArticleSearch, articleStatuses } from '../state/article-calls.ts'

const pauseMs = 300
const names = { draft: 'Drafts', published: 'Published' } as const

type Props = { search: ArticleSearch; onSearch: (search: ArticleSearch) => void }

/** The words and the status of the articles in the list. */
export function ArticleFilters({ search, onSearch }: Props) {
  const words = search.q ?? ''
  const [typed, setTyped] = useState(words)
  const find = useEffectEvent(() => {
    if (typed.trim() !== words) onSearch({ ...search, q: typed.trim() === '' ? undefined : typed.trim() })
  })
  useEffect(() => {
    const timer = setTimeout(() => find(), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <search className="articles-filters">
      <input
        type="search"
        maxLength={200}
        aria-label="Search the articles"
        placeholder="Search the articles"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <nav className="tabs" aria-label="Status">
        <Link
          to="."
          search={{ ...search, status: undefined }}
          aria-current={current(search.status === undefined)}
        >
          All
        </Link>
        {articleStatuses.map((status) => (
          <Link
            key={status}
            to="."
            search={{ ...search, status }}
            aria-current={current(search.status === status)}
          >
            {names[status]}
          </Link>
        ))}
      </nav>
    </search>
  )
}

function current(isCurrent: boolean): 'true' | undefined {
  return isCurrent ? 'true' : undefined
}
