import { QueryClientProvider } from '@tanstack/react-query'
import { type RouterHistory, RouterProvider } from '@tanstack/react-router'
import { closeGate, keepGateFlag, watchGate } from './features/gate/gate-status.ts'
import { createQueryClient } from './lib/query-client.ts'
import { type Surroundings, SurroundingsProvider } from './lib/surroundings.tsx'
import { createSiteRouter } from './router.ts'

/** The whole page, ready to be rendered. `stop` ends what watches from outside of React. */
export function createApp(surroundings: Surroundings, history?: RouterHistory) {
  const queryClient = createQueryClient(() => closeGate(queryClient))
  const router = createSiteRouter({ queryClient, surroundings }, history)
  const stop = watchGate(queryClient, (isOpen) => {
    keepGateFlag(surroundings.sessionStore, isOpen)
    void router.invalidate()
  })
  function App() {
    return (
      <SurroundingsProvider value={surroundings}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </SurroundingsProvider>
    )
  }
  return { App, router, queryClient, stop }
}
