import { queryOptions } from '@tanstack/react-query'
import { publishedEditions } from '#lib/api/published-editions.ts'
import type { Edition } from './sentences.ts'

/** Reads the newest edition; null before the first one is published. The server's shell can provide it. */
export const newestEdition = queryOptions({
  queryKey: ['editions', 'newest'],
  queryFn: async ({ client }): Promise<Edition | null> => {
    const [newest] = await client.fetchQuery({ ...publishedEditions, staleTime: 0 })
    return newest ?? null
  },
})
