import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type NumbersSearch, periods } from '#features/numbers/numbers-calls.ts'
import { dayParam } from '#lib/search-params.ts'
import { frameRoute } from './frame.tsx'

export const numbersRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/numbers',
  validateSearch({ days, from, to }: Record<string, unknown>): NumbersSearch {
    const [first, last] = [dayParam(from), dayParam(to)]
    if (first !== undefined && last !== undefined && first <= last) return { from: first, to: last }
    return { days: periods.find(({ days: each }) => each === days)?.days }
  },
  component: lazyRouteComponent(() => import('./numbers-page.tsx'), 'NumbersPage'),
})
