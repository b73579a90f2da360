import { MutationCache, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query'

const minuteMs = 60_000

/**
 * Creates the cache of server state. Requests run even when the browser believes it is offline, so that the reader sees
 * an error instead of waiting. A lost connection and a server error are retried once, any other error never.
 * @param onRefused called with the error's code when the server refuses a request
 */
export function createQueryClient(onRefused: (code: unknown) => void): QueryClient {
  function onError(error: Error) {
    if ('code' in error) onRefused(error.code)
  }
  // It assumes a connection. A page that was opened without one reads again once there is one.
  onlineManager.setOnline(navigator.onLine)
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: minuteMs,
        retry: (failures, error) => failures < 1 && !isRefusal(error),
        retryDelay: 500,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

/** Returns whether the server understood the request and refused it; the client's own errors have the status 0. */
function isRefusal(error: Error): boolean {
  return 'status' in error && typeof error.status === 'number' && error.status > 0 && error.status < 500
}
