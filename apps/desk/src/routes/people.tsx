import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { LogSearch } from '#features/people/people-calls.ts'
import { dayParam, idParam } from '#lib/search-params.ts'
import { frameRoute } from './frame.tsx'

export const peopleRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/people',
  component: lazyRouteComponent(() => import('#features/people/people-screen.tsx'), 'PeopleScreen'),
})

export const logRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/people/log',
  validateSearch({ person, memo, day }: Record<string, unknown>): LogSearch {
    return { person: idParam(person), memo: idParam(memo), day: dayParam(day) }
  },
  component: lazyRouteComponent(() => import('./log-page.tsx'), 'LogPage'),
})
