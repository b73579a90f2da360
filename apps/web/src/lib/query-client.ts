import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-client.ts'

const minuteMs = 60_000

/**
 * Creates the cache of server state. Requests run even when the browser believes it is offline, so that the reader sees
 * an error instead of waiting. A lost connection and a server error are retried once, any other error never.
 * @param onGateRequired called when a request fails because the gate has not been passed
 */
export function createQueryClient(onGateRequired: () => void): QueryClient {
  function onError(error: Error) {
    if (error instanceof ApiError && error.code === 'gate-required') onGateRequired()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: minuteMs,
        retry: (failures, error) => failures < 1 && !(error instanceof ApiError && error.status < 500),
        retryDelay: 500,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
