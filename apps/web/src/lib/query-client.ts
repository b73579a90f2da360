import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { RefusedError } from './api-client.ts'

const minuteMs = 60_000

/**
 * The cache of everything the server knows. Calls are tried even when the browser believes it is offline, so
 * that the reader is told instead of kept waiting; a refusal is final, a lost connection is tried once more.
 * @param onGateRequired called whenever any call is refused because the gate has not been passed
 */
export function createQueryClient(onGateRequired: () => void): QueryClient {
  function onError(error: Error) {
    if (error instanceof RefusedError && error.code === 'gate-required') onGateRequired()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: minuteMs,
        retry: (failures, error) => failures < 1 && !(error instanceof RefusedError && error.status < 500),
        retryDelay: 500,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
