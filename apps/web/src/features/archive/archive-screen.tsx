import '#features/archive/archive.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { LoadingSkeleton } from '#components/loading-skeleton.tsx'
import { Notice } from '#components/notice.tsx'
import { Screen } from '#components/screen.tsx'
import { NetworkError } from '#lib/api/api-client.ts'
import { publishedEditions } from '#lib/api/published-editions.ts'
import { useServices } from '#lib/services/services.tsx'
import { archiveDays } from './archive-days.ts'
import { ArchiveList } from './archive-list.tsx'

/** All editions by date, newest first. */
export function ArchiveScreen() {
  const { config } = useServices()
  const { data, error, isFetching, refetch } = useQuery(publishedEditions)
  const days = useMemo(
    () => (data === undefined ? null : archiveDays(data, config.slots)),
    [data, config.slots],
  )
  return (
    <Screen title="Archive" className="archive">
      <h1>Archive</h1>
      {/* In front of thousands of links for a keyboard, and at the foot of the page for the eye. */}
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to="/home">Exit archive</Link>
        <Link to="/search">Search</Link>
      </nav>
      {renderList()}
    </Screen>
  )

  function renderList() {
    if (days === null) {
      if (error === null || isFetching) return <LoadingSkeleton />
      const isOffline = error instanceof NetworkError
      return (
        <Notice
          text={
            isOffline
              ? 'You’re offline, and the archive isn’t on this device.'
              : 'We couldn’t load the archive.'
          }
        >
          <button type="button" className="link" onClick={() => void refetch()}>
            Try again
          </button>
        </Notice>
      )
    }
    if (days.length === 0) return <Notice text="Nothing has been published yet." />
    return <ArchiveList days={days} />
  }
}
