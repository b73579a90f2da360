import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider, useRouterState } from '@tanstack/react-router'
import type { DeskConfig } from '@tidings/contracts/desk/desk-config'
import { LoadingDesk } from './components/loading.tsx'
import { createQueryClient } from './lib/api/query-client.ts'
import { DeskConfigContext } from './lib/desk-context.ts'
import { youQuery } from './lib/you-query.ts'
import { createDeskRouter } from './router.ts'

/** Creates the whole desk, ready to be rendered. */
export function createDesk(config: DeskConfig) {
  const queryClient = createQueryClient(() => queryClient.setQueryData(youQuery.queryKey, null))
  const router = createDeskRouter(queryClient)
  return function Desk() {
    const isEmpty = useRouterState({ router, select: ({ matches }) => matches.length === 0 })
    return (
      <DeskConfigContext value={config}>
        <QueryClientProvider client={queryClient}>
          {isEmpty && <LoadingDesk />}
          <RouterProvider router={router} />
        </QueryClientProvider>
      </DeskConfigContext>
    )
  }
}
