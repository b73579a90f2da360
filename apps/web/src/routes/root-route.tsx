import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet, redirect } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { PhoneFrame } from '../components/phone-frame.tsx'
import { contentId, mainId } from '../components/screen.tsx'
import { pageId } from '../components/scroll/page-scroll.ts'
import { ToastProvider } from '../components/toaster.tsx'
import { LazyMemberVisit } from '../features/account/notifications/lazy-member-visit.tsx'
import { wasGateOpen } from '../features/gate/device-pass.ts'
import { gateStatus, isGateOpen } from '../features/gate/gate-status.ts'
import { LikeSender } from '../features/news/memos/like-sender.tsx'
import { LiveMemosProvider } from '../features/news/screen/live-memos.tsx'
import { loadChunk } from '../lib/browser/chunk.ts'
import { requestedPath, returnPath } from '../lib/requested-path.ts'
import { type Services, useServices } from '../lib/services/services.tsx'
import { ErrorScreen } from './error-screen.tsx'
import { LoadingScreen } from './loading-screen.tsx'
import { SessionCheck } from './session-check.tsx'
import { SiteWorker } from './site-worker.tsx'

/** The services of every route. */
export type AppContext = {
  queryClient: QueryClient
  services: Services
  /** How the reader came to the screen: by a link, or by a reload, the way back or a redirect. */
  arrival: {
    isByLink: boolean
    /** Whether this is the first screen of a page that was just opened. */
    isFresh: boolean
    /** Whether the shell has drawn the titles, so that the memos need not enter again. */
    hasTitles: boolean
  }
}

/** The frame around every screen, and the gate: redirects to /protect while it is closed, and away once it is open. */
export const rootRoute = createRootRouteWithContext<AppContext>()({
  async beforeLoad({ context, location }) {
    const isOpen = await findGateOpen(context)
    const isGateScreen = location.pathname === '/protect'
    if (!isOpen && !isGateScreen) {
      throw redirect({ to: '/protect', replace: true, state: { from: requestedPath(location) } })
    }
    if (isOpen && isGateScreen) throw redirect({ href: returnPath(location.state.from, '/'), replace: true })
  },
  component: Root,
  pendingComponent: LoadingRoot,
  errorComponent: FailedRoot,
})

/**
 * Returns whether the gate is open. An earlier reply saves the wait and lets an offline reader see what is kept; the
 * server's reply follows and decides.
 * @throws when the server is unreachable and the gate was not passed before
 */
async function findGateOpen({ queryClient, services }: AppContext): Promise<boolean> {
  const known = queryClient.getQueryData(gateStatus.queryKey)
  if (known !== undefined) return isGateOpen(known)
  if (wasGateOpen(services)) {
    void queryClient.prefetchQuery(gateStatus)
    return true
  }
  return isGateOpen(await queryClient.ensureQueryData(gateStatus))
}

/** Only sites with a tag manager load its code. Without it the page works too. */
const PageViews = lazy(async () => {
  const load = async () => (await import('./page-views.tsx')).PageViews
  return { default: await loadChunk(load).catch(() => () => null) }
})

function Root() {
  const { config } = useServices()
  const queryClient = useQueryClient()
  const { data: gate } = useQuery(gateStatus)
  return (
    <Page>
      <LiveMemosProvider
        isEnabled={gate !== undefined && isGateOpen(gate)}
        onGap={() => {
          void queryClient.invalidateQueries({ queryKey: ['editions'] })
          void queryClient.invalidateQueries({ queryKey: ['memos'] })
        }}
        onRefused={() => void queryClient.invalidateQueries({ queryKey: gateStatus.queryKey })}
      >
        <Outlet />
      </LiveMemosProvider>
      {gate !== undefined && isGateOpen(gate) ? <LikeSender /> : null}
      <SiteWorker />
      <SessionCheck />
      <LazyMemberVisit />
      <Suspense>{config.tagManagerId === '' ? null : <PageViews />}</Suspense>
    </Page>
  )
}

function LoadingRoot() {
  return (
    <Page>
      <LoadingScreen />
    </Page>
  )
}

function FailedRoot({ error }: { error: unknown }) {
  return (
    <Page>
      <ErrorScreen error={error} />
    </Page>
  )
}

function skipToContent() {
  const target = document.getElementById(contentId) ?? document.getElementById(mainId)
  target?.scrollIntoView({ block: 'start', behavior: 'instant' })
  target?.focus({ preventScroll: true })
}

function Page({ children }: { children: ReactNode }) {
  return (
    <>
      <button type="button" className="skip-link" onClick={skipToContent}>
        Skip to content
      </button>
      <PhoneFrame>
        <ToastProvider>
          <div className="page" id={pageId} tabIndex={-1} data-scroll-restoration-id={pageId}>
            {children}
          </div>
        </ToastProvider>
      </PhoneFrame>
    </>
  )
}
