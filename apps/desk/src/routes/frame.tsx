import { useQuery } from '@tanstack/react-query'
import { createRoute, notFound, redirect } from '@tanstack/react-router'
import { parseWireDate } from '@tidings/contracts/edition-key'
import { useState } from 'react'
import { LoadingDesk } from '#components/loading.tsx'
import { Countdowns } from '#features/delivery/countdown.tsx'
import { progressQuery } from '#features/delivery/delivery-queries.ts'
import { DeskFrame } from '#features/frame/desk-frame.tsx'
import { SessionDialog } from '#features/frame/session-dialog.tsx'
import { TodayScreen } from '#features/today/today-screen.tsx'
import { YouScreen } from '#features/you/you-screen.tsx'
import { YouContext } from '#lib/desk-context.ts'
import { useDeskEvents } from '#lib/events/use-desk-events.ts'
import { youQuery } from '#lib/you-query.ts'
import { rootRoute } from './root-route.tsx'

/** The screens of a person who is signed in. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  async beforeLoad({ context }) {
    const you = await context.queryClient.ensureQueryData(youQuery)
    if (you === null) throw redirect({ to: '/sign-in' })
    // The countdown stands above the screen, so it is read while the screen is loaded.
    void context.queryClient.prefetchQuery(progressQuery)
    return { arrived: you }
  },
  component: Frame,
  pendingComponent: LoadingDesk,
})

function Frame() {
  const { arrived } = frameRoute.useRouteContext()
  const { data: current } = useQuery(youQuery)
  const [last, setLast] = useState(arrived)
  useDeskEvents()
  if (current !== null && current !== undefined && current !== last) setLast(current)
  return (
    <YouContext value={last}>
      <DeskFrame notice={<Countdowns />} />
      {current === null && <SessionDialog />}
    </YouContext>
  )
}

export const todayRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  component: () => <TodayScreen day={null} />,
})

export const dayRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/days/$day',
  beforeLoad({ params }) {
    const day = parseWireDate(params.day)
    if (day === null) throw notFound()
    return { day }
  },
  component: Day,
})

function Day() {
  const { day } = dayRoute.useRouteContext()
  return <TodayScreen day={day} />
}

export const youRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/you',
  component: YouScreen,
})
