import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './call.ts'

/**
 * Creates the cache of server state. Only a lost connection and a server error are tried again.
 * @param onSessionEnd called when the server no longer knows who is at the desk
 */
export function createQueryClient(onSessionEnd: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.status === 401) onSessionEnd()
  }
  // A button that is out of use while its deed runs is so before a second click.
  notifyManager.setScheduler(queueMicrotask)
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 10_000,
        retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
