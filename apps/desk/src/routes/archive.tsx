import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type ArchiveSearch, statuses } from '#features/archive/archive-calls.ts'
import { dayParam, idParam, textParam } from '#lib/search-params.ts'
import { frameRoute } from './frame.tsx'

export const archiveRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/archive',
  validateSearch({ q, status, from, to, by }: Record<string, unknown>): ArchiveSearch {
    return {
      q: textParam(q),
      status: statuses.find((each) => each === status),
      from: dayParam(from),
      to: dayParam(to),
      by: idParam(by),
    }
  },
  component: lazyRouteComponent(() => import('./archive-page.tsx'), 'ArchivePage'),
})
