import '#features/articles/articles.css'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { LoadingSkeleton } from '#components/loading-skeleton.tsx'
import { Notice } from '#components/notice.tsx'
import { Screen } from '#components/screen.tsx'
import { NetworkError } from '#lib/api/api-client.ts'
import { useIsLoggedIn } from '#lib/member/use-session.ts'
import { useServices } from '#lib/services/services.tsx'
import { Article } from './article.tsx'
import { gatedArticle, isMissing, plansNeeded } from './gated-articles.ts'
import { MemberWall } from './member-wall.tsx'
import { PlanWall } from './plan-wall.tsx'
import { useArrivingPlan } from './use-arriving-plan.ts'

type ScreenProps = { belowArticle?: (articleId: string) => ReactNode }

/** A gated article, or what it takes to read it. */
export function GatedArticleScreen({ belowArticle }: ScreenProps) {
  const { gatedID = '' } = useParams({ strict: false })
  return useIsLoggedIn() ? (
    <MembersArticle key={gatedID} id={gatedID} belowArticle={belowArticle} />
  ) : (
    <MemberWall />
  )
}

function MembersArticle({ id, belowArticle }: { id: string; belowArticle: ScreenProps['belowArticle'] }) {
  const { config, memberSession } = useServices()
  const [pollMs, setPollMs] = useState<number | false>(false)
  const article = useQuery({ ...gatedArticle(memberSession, id), refetchInterval: pollMs })
  // A plan that ended closes the article, also while it is on the screen.
  const needed = plansNeeded(article.error)
  const shown = needed === null && !isMissing(article.error) ? article.data : undefined
  const refusals = article.errorUpdateCount
  const arriving = useArrivingPlan({ isOpen: shown !== undefined, needed, refusals })
  if (arriving !== pollMs) setPollMs(arriving)
  return (
    <Screen title={shown?.title ?? config.siteName} className="gated-article">
      {renderArticle()}
      {shown === undefined ? null : belowArticle?.(shown.id)}
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to="/account/dashboard">Account</Link>
        <Link to="/home">View memos</Link>
        <Link to="/gated">Go back</Link>
      </nav>
    </Screen>
  )

  function renderArticle() {
    if (shown !== undefined) return <Article article={shown} />
    if (needed !== null && arriving !== false)
      return (
        <>
          <h1>Thank you</h1>
          <p className="wall-text" role="status">
            Your payment went through. The article opens in a moment.
          </p>
        </>
      )
    if (needed !== null) return <PlanWall articleId={id} planIds={needed} />
    if (isMissing(article.error))
      return (
        <>
          <h1>Not found</h1>
          <Notice text="This article doesn’t exist, or it was withdrawn." />
        </>
      )
    if (article.error === null || article.isFetching) return <LoadingSkeleton />
    const isOffline = article.error instanceof NetworkError
    return (
      <>
        <h1>{isOffline ? 'Offline' : 'Not loaded'}</h1>
        <Notice
          text={
            isOffline
              ? 'You’re offline, and this article isn’t on this device.'
              : 'We couldn’t load this article.'
          }
        >
          <button type="button" className="link" onClick={() => void article.refetch()}>
            Try again
          </button>
        </Notice>
      </>
    )
  }
}
