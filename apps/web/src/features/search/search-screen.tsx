import '#features/search/search.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { limits } from '@tidings/contracts/limits'
import { messages } from '@tidings/contracts/membership/messages'
import type { SearchReply } from '@tidings/contracts/search'
import type { ReactNode } from 'react'
import { LoadingSkeleton } from '#components/loading-skeleton.tsx'
import { Screen } from '#components/screen.tsx'
import { NetworkError } from '#lib/api/api-client.ts'
import { errorText } from '#lib/api/error-text.ts'
import { useIsLoggedIn } from '#lib/member/use-session.ts'
import { useServices } from '#lib/services/services.tsx'
import { ResultRow } from './result-row.tsx'
import { SearchForm } from './search-form.tsx'
import { isReversed, parseSearch, type SearchRequest, searchParams, searchResults } from './search-request.ts'

type SearchScreenProps = { onOpenMemo: (editionKey: string, memoId: string) => void }

/** The search of memos and, for members, of the articles that they may read. The address holds what is searched. */
export function SearchScreen({ onOpenMemo }: SearchScreenProps) {
  const navigate = useNavigate()
  const request = parseSearch(useSearch({ strict: false }))
  const { memberSession } = useServices()
  const isLoggedIn = useIsLoggedIn()
  const results = useInfiniteQuery(searchResults(request, isLoggedIn ? memberSession.token() : null))
  const isAsked = request.q !== '' && !isReversed(request)
  const pages = isAsked ? (results.data?.pages ?? []) : []

  function search(next: SearchRequest) {
    void navigate({ to: '/search', search: searchParams(next), replace: true, resetScroll: false })
  }

  return (
    <Screen title="Search" className="search">
      <h1>Search</h1>
      <SearchForm request={request} onChange={search} />
      <p role="status" className="visually-hidden">
        {isAsked && !results.isFetching && results.data !== undefined ? countText(pages) : ''}
      </p>
      <section aria-label="Results" aria-busy={results.isFetching}>
        {renderResults()}
      </section>
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to="/home">Back to Home</Link>
      </nav>
    </Screen>
  )

  function renderResults(): ReactNode {
    if (isReversed(request)) return null
    if (!isAsked) return <Tips isLoggedIn={isLoggedIn} />
    if (results.data === undefined && results.isFetching) return <LoadingSkeleton />
    const isFailed = results.isError && !results.isFetching
    if (results.data === undefined || (isFailed && results.isPlaceholderData)) {
      return <Failure error={results.error} onRetry={() => void results.refetch()} />
    }
    const found = pages.flatMap(({ data }) => data)
    if (found.length === 0) return <NothingFound request={request} onChange={search} />
    return (
      <>
        {pages[0]?.similar === true ? (
          <p className="search-note">Nothing matches exactly. These titles are similar:</p>
        ) : null}
        <ol className="results" data-pending={results.isPlaceholderData}>
          {found.map((result) => (
            <ResultRow key={result._id} result={result} onOpenMemo={onOpenMemo} />
          ))}
        </ol>
        {isFailed ? <Failure error={results.error} onRetry={() => void results.fetchNextPage()} /> : null}
        {results.hasNextPage && !isFailed ? (
          <button
            type="button"
            className="link search-more"
            aria-disabled={results.isFetching}
            onClick={() => {
              if (!results.isFetching) void results.fetchNextPage()
            }}
          >
            {results.isFetchingNextPage ? messages.loading : 'More results'}
          </button>
        ) : null}
        {found.length >= limits.searchMatches ? (
          <p className="search-note">These are the newest {found.length}. Choose days to find older ones.</p>
        ) : null}
      </>
    )
  }
}

function countText(pages: SearchReply[]): string {
  const count = pages.reduce((total, { data }) => total + data.length, 0)
  const kind = pages[0]?.similar === true ? 'similar title' : 'result'
  if (count === 0) return 'No results'
  const more = pages.at(-1)?.next == null ? '' : ', and more'
  return `${count} ${kind}${count === 1 ? '' : 's'}${more}`
}

function Tips({ isLoggedIn }: { isLoggedIn: boolean }) {
  return (
    <div className="search-tips">
      <p>
        {isLoggedIn
          ? 'Finds memos of every edition, and the articles you can read.'
          : 'Finds memos of every edition.'}
      </p>
      <p>Put words in quotation marks to find them together. Put a minus before a word to leave it out.</p>
    </div>
  )
}

function NothingFound({
  request,
  onChange,
}: {
  request: SearchRequest
  onChange: (next: SearchRequest) => void
}) {
  const hasDays = request.from !== '' || request.to !== ''
  return (
    <div className="search-tips">
      <p>
        Nothing found for <q dir="auto">{request.q}</q>.
      </p>
      <p>Try fewer or other words, or check the spelling.</p>
      {hasDays ? (
        <button type="button" className="link" onClick={() => onChange({ ...request, from: '', to: '' })}>
          Search all days
        </button>
      ) : null}
    </div>
  )
}

function Failure({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const isOffline = error instanceof NetworkError && !navigator.onLine
  return (
    <div className="search-tips">
      <p role="alert">{isOffline ? 'You’re offline. Searching needs a connection.' : errorText(error)}</p>
      <button type="button" className="link" onClick={onRetry}>
        Try again
      </button>
    </div>
  )
}
