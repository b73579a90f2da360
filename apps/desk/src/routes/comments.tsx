import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type CommentSearch, commentFilters } from '#features/comments/comment-calls.ts'
import { frameRoute } from './frame.tsx'

export const commentsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/comments',
  validateSearch({ show, q }: Record<string, unknown>): CommentSearch {
    const filter = commentFilters.find((each) => each === show) ?? 'reported'
    return typeof q === 'string' && q.trim() !== '' ? { show: filter, q } : { show: filter }
  },
  component: lazyRouteComponent(() => import('./comments-page.tsx'), 'CommentsPage'),
})
