import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from './lazy-screen.ts'
import { requireActiveSession, requireLogin } from './member-guard.ts'
import { rootRoute } from './root-route.tsx'

const getParentRoute = () => rootRoute

/** The gated list, for members, and the gated article, which shows a wall to visitors. */
export const articleRoutes = [
  createRoute({ getParentRoute, path: '/gated', beforeLoad: requireLogin }).lazy(
    lazyScreen(async () => (await import('../features/articles/gated-list-screen.tsx')).GatedListScreen),
  ),
  createRoute({ getParentRoute, path: '/viewgated/$gatedID', beforeLoad: requireActiveSession }).lazy(
    lazyScreen(async () => (await import('./discussed-article.tsx')).DiscussedArticle),
  ),
]
