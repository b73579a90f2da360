import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet, redirect } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { pageId } from '../components/page-scroll.ts'
import { PhoneFrame } from '../components/phone-frame.tsx'
import { mainId } from '../components/screen.tsx'
import { ToastProvider } from '../components/toaster.tsx'
import { gateStatus, isGateOpen, wasGateOpen } from '../features/gate/gate-status.ts'
import { LiveFeedProvider } from '../features/news/live-feed/live-feed-provider.tsx'
import { LikeSender } from '../features/news/memos/like-sender.tsx'
import { LiveMemosProvider } from '../features/news/screen/live-memos.tsx'
import type { Services } from '../lib/services.tsx'
import { ErrorScreen } from './error-screen.tsx'
import { LoadingScreen } from './loading-screen.tsx'
import { PageViews } from './page-views.tsx'
import { SiteWorker } from './site-worker.tsx'

/** What every route can use. */
export type AppContext = { queryClient: QueryClient; services: Services }

/** The frame around every screen, and the gate: redirects to /protect while it is closed, and away once it is open. */
export const rootRoute = createRootRouteWithContext<AppContext>()({
  async beforeLoad({ context, location }) {
    const isOpen = await findGateOpen(context)
    if (!isOpen && location.pathname !== '/protect') throw redirect({ to: '/protect', replace: true })
    if (isOpen && location.pathname === '/protect') throw redirect({ to: '/home', replace: true })
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

function Root() {
  const queryClient = useQueryClient()
  const { data: gate } = useQuery(gateStatus)
  return (
    <Page>
      <LiveFeedProvider
        isEnabled={gate !== undefined && isGateOpen(gate)}
        onGap={() => {
          void queryClient.invalidateQueries({ queryKey: ['editions'] })
          void queryClient.invalidateQueries({ queryKey: ['memos'] })
        }}
        onRefused={() => void queryClient.invalidateQueries({ queryKey: gateStatus.queryKey })}
      >
        <LiveMemosProvider>
          <Outlet />
        </LiveMemosProvider>
      </LiveFeedProvider>
      {gate !== undefined && isGateOpen(gate) ? <LikeSender /> : null}
      <SiteWorker />
      <PageViews />
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

function Page({ children }: { children: ReactNode }) {
  return (
    <>
      <button type="button" className="skip-link" onClick={() => document.getElementById(mainId)?.focus()}>
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
