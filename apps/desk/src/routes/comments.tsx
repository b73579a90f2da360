import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type CommentSearch, commentFilters } from '#features/comments/comment-calls.ts'
import { textParam } from '#lib/search-params.ts'
import { frameRoute } from './frame.tsx'

export const commentsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/comments',
  validateSearch({ show, q: given }: Record<string, unknown>): CommentSearch {
    const filter = commentFilters.find((each) => each === show) ?? 'reported'
    const q = textParam(given)
    return q === undefined ? { show: filter } : { show: filter, q }
  },
  component: lazyRouteComponent(() => import('./comments-page.tsx'), 'CommentsPage'),
})
