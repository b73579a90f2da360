import type { QueryClient } from '@tanstack/react-query'
import type { Surroundings } from '../lib/surroundings.tsx'

/** What every route can reach. */
export type AppContext = { queryClient: QueryClient; surroundings: Surroundings }
