import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet, redirect } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { pageId } from '../components/page-scroll.ts'
import { PhoneFrame } from '../components/phone-frame.tsx'
import { mainId } from '../components/screen.tsx'
import { ToastProvider } from '../components/toaster.tsx'
import { gateStatus, isGateOpen } from '../features/gate/gate-status.ts'
import { LiveFeedProvider } from '../features/live-feed/live-feed-provider.tsx'
import type { AppContext } from './app-context.ts'
import { CountedPages } from './counted-pages.tsx'
import { FailedScreen } from './failed-screen.tsx'
import { findGateOpen } from './gate-passage.ts'
import { LiveNewsProvider } from './live-news.tsx'
import { PendingScreen } from './pending-screen.tsx'

/** What stands around every screen; and the gate: closed it leads to /protect, open it leads away from there. */
export const rootRoute = createRootRouteWithContext<AppContext>()({
  async beforeLoad({ context, location }) {
    const isOpen = await findGateOpen(context)
    if (!isOpen && location.pathname !== '/protect') throw redirect({ to: '/protect', replace: true })
    if (isOpen && location.pathname === '/protect') throw redirect({ to: '/home', replace: true })
  },
  component: Surround,
  pendingComponent: PendingRoot,
  errorComponent: FailedRoot,
})

function Surround() {
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
        <LiveNewsProvider>
          <Outlet />
        </LiveNewsProvider>
      </LiveFeedProvider>
      <CountedPages />
    </Page>
  )
}

function PendingRoot() {
  return (
    <Page>
      <PendingScreen />
    </Page>
  )
}

function FailedRoot({ error }: { error: unknown }) {
  return (
    <Page>
      <FailedScreen error={error} />
    </Page>
  )
}

function Page({ children }: { children: ReactNode }) {
  return (
    <>
      <button type="button" className="skip-link" onClick={() => document.getElementById(mainId)?.focus()}>
        Skip to the content
      </button>
      <PhoneFrame>
        <ToastProvider>
          <div className="page" id={pageId} data-scroll-restoration-id={pageId}>
            {children}
          </div>
        </ToastProvider>
      </PhoneFrame>
    </>
  )
}
