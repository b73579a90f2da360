import { QueryClientProvider } from '@tanstack/react-query'
import { type RouterHistory, RouterProvider } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { hasExpiredPass, saveGateFlag } from './features/gate/device-pass.ts'
import { closeGate, seedGate, watchGate } from './features/gate/gate-status.ts'
import { forgetFormerMembers } from './features/login/forget-member.ts'
import { seedEditions } from './features/news/editions/start-editions.ts'
import { forgetKept } from './features/news/memos/kept-editions.ts'
import { createQueryClient } from './lib/api/query-client.ts'
import { followSession } from './lib/member/member-queries.ts'
import { type Services, ServicesProvider } from './lib/services/services.tsx'
import { createSiteRouter } from './router.ts'

/** Creates the whole page, ready to be rendered. */
export function createApp(services: Services, history?: RouterHistory) {
  const queryClient = createQueryClient((code) => {
    if (code === 'gate-required') closeGate(queryClient)
    if (code === 'login-required' || code === 'client/invalid-token') void services.memberSession.verify()
  })
  const router = createSiteRouter({ queryClient, services }, history)
  watchGate(queryClient, (isOpen) => {
    saveGateFlag(services, isOpen)
    if (!isOpen) forgetKept(queryClient, services.deviceStore)
    if (router.state.matches.length > 0) void router.invalidate()
  })
  forgetFormerMembers(services)
  followSession(queryClient, services.memberSession, () => void router.invalidate())
  if (hasExpiredPass(services)) forgetKept(queryClient, services.deviceStore)
  if (services.start !== null) {
    seedEditions(queryClient, services.start, services.config.slots)
    seedGate(queryClient, services.start)
  }
  // The router follows the address only once it is mounted. It would miss what changes before that.
  const stopFollowing = router.history.subscribe(() => void router.load())
  function App() {
    useLayoutEffect(stopFollowing, [])
    return (
      <ServicesProvider value={services}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ServicesProvider>
    )
  }
  return { App, router, queryClient }
}
