import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type ArticleSearch, articleStatuses } from '#features/articles/state/article-calls.ts'
import { textParam } from '#lib/search-params.ts'
import { frameRoute } from './frame.tsx'

/** The articles. The one that is open has its own address below. */
export const articlesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/articles',
  validateSearch({ q, status }: Record<string, unknown>): ArticleSearch {
    return { q: textParam(q), status: articleStatuses.find((each) => each === status) }
  },
  component: lazyRouteComponent(() => import('./articles-page.tsx'), 'ArticlesPage'),
})

export const articleRoute = createRoute({ getParentRoute: () => articlesRoute, path: '/$id' })
