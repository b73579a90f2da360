import '#features/articles/articles.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LoadingSkeleton } from '#components/loading-skeleton.tsx'
import { Notice } from '#components/notice.tsx'
import { Screen } from '#components/screen.tsx'
import { NetworkError } from '#lib/api/api-client.ts'
import { useIsLoggedIn } from '#lib/member/use-session.ts'
import { directionOf } from '#lib/prose/text-direction.ts'
import { useServices } from '#lib/services/services.tsx'
import { type ArticleTitle, gatedTitles } from './gated-articles.ts'

/** The titles of the gated articles, newest first. */
export function GatedListScreen() {
  const { memberSession } = useServices()
  const isLoggedIn = useIsLoggedIn()
  const titles = useQuery({ ...gatedTitles(memberSession), enabled: isLoggedIn })
  return (
    <Screen title="Gated articles" className="gated-list">
      <h1>Gated articles</h1>
      {renderTitles()}
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to="/home">Exit gated</Link>
      </nav>
    </Screen>
  )

  function renderTitles() {
    if (titles.data !== undefined) return <Titles titles={titles.data} />
    if (titles.error === null || titles.isFetching) return <LoadingSkeleton />
    const isOffline = titles.error instanceof NetworkError
    return (
      <Notice
        text={
          isOffline
            ? 'You’re offline, and the list isn’t on this device.'
            : 'We couldn’t load the gated articles.'
        }
      >
        <button type="button" className="link" onClick={() => void titles.refetch()}>
          Try again
        </button>
      </Notice>
    )
  }
}

function Titles({ titles }: { titles: readonly ArticleTitle[] }) {
  if (titles.length === 0) return <Notice text="There are no gated articles yet." />
  return (
    <ul className="gated-titles">
      {titles.map(({ id, title, language }) => (
        <li key={id} lang={language}>
          <Link to="/viewgated/$gatedID" params={{ gatedID: id }} dir={directionOf(language)}>
            {title}
          </Link>
        </li>
      ))}
    </ul>
  )
}
